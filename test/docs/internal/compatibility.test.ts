/** docs/internal/tested-versions.md names the versions that the packages and the tests use, and tests that exist. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import emulator from "../../../emulator/package.json";
import pkg from "../../../package.json";
import lock from "../../../package-lock.json";
import { readRecordings } from "../../support/agent-servers/recordings";
import { ROOT, textOf } from "../support/markdown";

/** Returns the items below a heading of the page that names the test of each version. */
function itemsBelow(heading: string): { names: string[]; evidence: string }[] {
  const [, section = ""] = textOf("docs/internal/tested-versions.md").split(`\n## ${heading}\n`);
  const items = (section.split("\n## ")[0] ?? "").replace(/\n {2}/g, " ").match(/^- .+/gm) ?? [];
  return items.map((item) => {
    const [, names = "", evidence = ""] = /^- (.+?): (untested|all tests|`[^`]+` › ".+)$/.exec(item) ?? [];
    return { names: names.split(" · "), evidence };
  });
}

const match = (path: string, pattern: RegExp) => pattern.exec(textOf(path))?.[1] ?? `nothing in ${path}`;
const oldest = (version: string) => `${version}, the oldest`;
const newest = (version: string) => `${version}, the newest`;
const cliIn = (module: string) => match(`toolchain/${module}/go.mod`, /pulumi\/pkg\/v3 v(\S+)/);
const withoutRange = (range: string) => range.replace(/^[^\d]+/, "");
const locked = (name: string) =>
  (lock.packages as unknown as Record<string, { version: string }>)[`node_modules/${name}`]?.version ?? "";

test("the versions are those that the packages require and the tests use", () => {
  expect(itemsBelow("Versions").map(({ names }) => names)).toEqual([
    ["Node.js", oldest(withoutRange(pkg.engines.node))],
    ["Node.js", match("scripts/setup/node.mjs", /NODE_VERSION = "(.+)"/)],
    ["Node.js", match("scripts/tools/supported-versions.ts", /NEWEST_NODE = "(.+)"/)],
    ["`@pulumi/pulumi`", oldest(withoutRange(pkg.peerDependencies["@pulumi/pulumi"]))],
    ["`@pulumi/pulumi`", locked("@pulumi/pulumi")],
    ["`@pulumi/pulumi`", newest(cliIn("optional/pulumi-newest"))],
    ["TypeScript", match("scripts/tools/supported-versions.ts", /TYPESCRIPT = "typescript@(.+)"/)],
    ["TypeScript", locked("typescript")],
    ["TypeScript", `${locked("@typescript/native")}, which only checks the types of programs`],
    ["Pulumi CLI", oldest(match("scripts/setup/pulumi.mjs", /MIN_VERSION = "(.+)"/))],
    ["Pulumi CLI", cliIn("pulumi")],
    ["Pulumi CLI", newest(cliIn("optional/pulumi-newest"))],
    ["Python", `${match("sdk/python/pyproject.toml", /requires-python = ">=(.+)"/)} or newer`],
    ["`pulumi` for Python", oldest(match("sdk/python/pyproject.toml", /"pulumi>=([^,]+)/))],
    ["`pulumi` for Python", match("toolchain/python/requirements.txt", /^pulumi==(\S+)/m)],
    [
      "YAML host",
      `${match("toolchain/optional/pulumi-language-yaml/go.mod", /pulumi-yaml v(\S+)/)}, with \`configuration\` in ` +
        "place of `config`",
    ],
    ["YAML host", "the one that the Pulumi installer installs"],
    ["Go", `${match("sdk/go/go.mod", /^go (.+)$/m)} or newer`],
    ["Go host", match("toolchain/optional/pulumi-language-go/go.mod", /pulumi\/sdk\/v3 v(\S+)/)],
    ["Go host", "the one that the Pulumi installer installs"],
    ["Java", `${match("scripts/generate/maven.ts", /<maven\.compiler\.release>(.+)</)} or newer`],
  ]);
});

test("the agent servers are those of the recordings, with their versions and days", () => {
  const names = itemsBelow("Servers").map(({ names: [server] }) => server);
  for (const { versions, recorded } of readRecordings()) {
    const [name, version] = Object.entries(versions).find(([name]) => name.endsWith("langgraph-api")) ?? [];
    expect(names).toContainEqual(expect.stringContaining(`\`${name}\` ${version}, as recorded on ${recorded}`));
  }
});

test("the README and the emulator require the same versions", () => {
  expect(emulator.engines).toEqual(pkg.engines);
  const readme = textOf("README.md").replace(/\s+/g, " ");
  expect(readme).toContain(`Pulumi CLI ${match("scripts/setup/pulumi.mjs", /MIN_VERSION = "(.+)"/)} or newer`);
  expect(readme).toContain(`Node.js ${withoutRange(pkg.engines.node)} or newer`);
  expect(readme).toContain(
    `\`@pulumi/pulumi\` ${withoutRange(pkg.peerDependencies["@pulumi/pulumi"]).replace(/\.0$/, "")} or newer`,
  );
});

test("continuous integration runs with the oldest version of Node and the one that the project installs", () => {
  const { jobs } = parse(textOf(".github/workflows/ci.yml"));
  const versions = [withoutRange(pkg.engines.node), match("scripts/setup/node.mjs", /NODE_VERSION = "(.+)"/)];
  expect(jobs.check.strategy.matrix.node).toEqual(versions);
});

const evidence = ["Versions", "Systems", "Servers", "Backends and package managers"].flatMap((heading) =>
  itemsBelow(heading).map(({ evidence }) => evidence),
);

test("the page for users names these versions", () => {
  const [, table = ""] = /\n## Versions\n([\s\S]*?)\n## /.exec(textOf("docs/compatibility.md")) ?? [];
  const versions = itemsBelow("Versions").map(({ names: [component, version = ""] }) => [
    component,
    /^[\d.]+/.exec(version)?.[0],
  ]);
  const isNamed = ([component, version]: (string | undefined)[]) =>
    table.split("\n").some((row) => row.startsWith(`| ${component} |`) && row.includes(` ${version}`));
  expect(versions.filter(([, version]) => version !== undefined).filter((pair) => !isNamed(pair))).toEqual([]);
});

test("every row names a test that exists, or is untested", () => {
  expect(evidence.length).toBeGreaterThan(30);
  const isComplete = (cell: string) => {
    const [, path, title] = /^`([^`]+)` › "([^"]+)"$/.exec(cell) ?? [];
    if (path === undefined) return cell === "untested" || cell === "all tests";
    return existsSync(join(ROOT, path)) && textOf(path).includes(`"${title}"`);
  };
  expect(evidence.filter((cell) => !isComplete(cell))).toEqual([]);
});
