/**
 * The skill for coding agents of users: its front matter, and whether what it names exists. Its commands run in
 * docs-pages.
 */
import { existsSync, globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import pkg from "../../package.json";
import { blocksOf, ROOT, SKILL, textOf } from "./support/markdown";

const text = textOf(SKILL);
const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];

test("The skill has the front matter of the Agent Skills format, within its limits", () => {
  const { name, description, license, compatibility, ...others } = parse(head);
  expect(others).toEqual({});
  expect(name).toBe(basename(dirname(SKILL)));
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(license).toBe(pkg.license);
  expect([name.length <= 64, description.length <= 1024, compatibility.length <= 500]).toEqual([true, true, true]);
  expect(text.split("\n").length).toBeLessThan(300);
});

test("The pages that the skill names are part of the package", () => {
  const pages = [...body.matchAll(/`(?:docs\/)?([\w-]+\.md)`/g)].map(([, page = ""]) => `docs/${page}`);
  expect(pages).toContain("docs/errors.md");
  expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  expect(pkg.files).toEqual(expect.arrayContaining(["docs/*.*", "skills"]));
});

/** Texts of the Pulumi CLI and of Node.js. */
const FOREIGN = ["the stack is currently locked", "Cannot find module", "no resource plugin"];

test("The messages that the skill explains are texts of the sources, or of the run that it shows", () => {
  const sources = globSync("{provider,plugin,cli,sdk/nodejs}/**/*.ts", { cwd: ROOT })
    .map((file) => textOf(file))
    .join("\n");
  const [, table = ""] = /\| the message contains \| do \|\n(.*?)\n\n/s.exec(body) ?? [];
  const messages = table.split("\n").flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)]);
  const shown = blocksOf(SKILL).map((block) => block.text.replace("DEPLOY_FAILED", "BUILD_FAILED"));
  const isKnown = (message: string) => [sources, ...shown, ...FOREIGN].some((known) => known.includes(message));
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.map(([, message = ""]) => message).filter((message) => !isKnown(message))).toEqual([]);
});

test("The commands of the skill have the options that it uses", () => {
  const commands = [...body.matchAll(/npx agentgraph (\w+)((?: --?[\w-]+)*)/g)];
  expect(commands.length).toBeGreaterThan(3);
  const unknown = commands.flatMap(([, name = "", options = ""]) =>
    (options.match(/--?[\w-]+/g) ?? []).filter(
      (option) => option !== "--json" && !textOf(`cli/commands/${name}.ts`).includes(`"${option}`),
    ),
  );
  expect(unknown).toEqual([]);
});
