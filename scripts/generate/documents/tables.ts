/**
 * The table of resources in README.md and that of routes in emulator/README.md: rows that exist stay as they are
 * written, and what they lack is added. The table and the list of docs/platforms.md that
 * consist of data alone.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Feature, factsOf } from "../../../dist/provider/api/profile/features.js";
import { definitions } from "../../../dist/provider/definitions.js";
import { PLATFORMS, regionUrls } from "../../../dist/provider/settings/platforms.js";
import { routeNames } from "../../../emulator/dist/index.js";
import { ROOT } from "../../setup/paths.mjs";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Adds rows to the table after the one whose text begins the last row. */
const addRows = (text: string, table: RegExp, rows: readonly string[]) =>
  text.replace(table, (found) => found + rows.map((row) => `${row}\n`).join(""));

/** Returns the page of the guide that declares a kind. */
function guideOf(kind: string): string {
  const page = readdirSync(join(ROOT, "docs")).find(
    (file) => file.endsWith(".md") && read(`docs/${file}`).includes(`new agentgraph.${kind}(`),
  );
  if (page) return `docs/${page}`;
  throw new Error(`No page of docs/ declares a ${kind}.`);
}

function resourcesTable(): string {
  const text = read("README.md");
  const missing = definitions.filter(({ kind }) => !text.includes(`\n| [\`${kind}\`](`));
  const rows = missing.map(({ kind, description }) => {
    const [first = ""] = description.split(". ");
    const summary = `${first.charAt(0).toLowerCase()}${first.slice(1).replace(/\.$/, "")}`;
    return `| [\`${kind}\`](${guideOf(kind)}) | ${summary} |`;
  });
  return addRows(text, /\n\| resource \| manages \|\n(\|.*\n)+/, rows);
}

/** The first word of a name is that of its area, such as `crons` of `crons-search`. */
function routesTable(): string {
  const text = read("emulator/README.md");
  const missing = routeNames().filter((name) => !text.includes(`\`${name}\``));
  const areas = Object.entries(Object.groupBy(missing, (name) => name.split("-", 1)[0] ?? name));
  const rows = areas.map(([area, names = []]) => `| ${area} | ${names.map((name) => `\`${name}\``).join(", ")} |`);
  return addRows(text, /\n\| area \| names \|\n(\|.*\n)+/, rows);
}

/** Replaces all rows of the table that begins with a heading. */
const setRows = (text: string, heading: string, rows: readonly string[]) =>
  text.replace(
    new RegExp(`(\\n\\| ${heading} .*\\n\\|[-|]+\\n)(\\|.*\\n)*`),
    (_found, head) => head + rows.map((row) => `| ${row} |\n`).join(""),
  );

/** Replaces all items of the list below a sentence. */
const setItems = (text: string, sentence: string, items: readonly string[]) =>
  text.replace(
    new RegExp(`(${sentence}\\n\\n)(- .*\\n(  .*\\n)*)*`),
    (_found, head) => head + items.map((item) => `${wrapped(`- ${item}`)}\n`).join(""),
  );

/** Breaks the text of an item into lines. */
const wrapped = (item: string) => item.replace(/(.{1,118})(?: |$)/g, (_found, line) => `\n  ${line}`).trim();

function platformsPage(): string {
  const { langsmith } = PLATFORMS;
  const names = ["US", ...langsmith.regions.map((name) => name.toUpperCase())];
  const regions = regionUrls(langsmith).map(
    (url, index) => `${names[index]} | \`${url}\` | <${url.replace("api.smith", "smith")}>`,
  );
  const features = Object.entries(langsmith.profile).map(([name, has]) => {
    const { purpose, without } = factsOf(name as Feature);
    return `**${purpose}** (LangSmith: ${has ? "yes" : "no"}). Without that, ${without}.`;
  });
  return setItems(setRows(read("docs/platforms.md"), "region", regions), "A platform may be able to:", features);
}

export const platforms = { text: platformsPage() };
export const resources = { text: resourcesTable() };
export const routes = { text: routesTable() };
