/**
 * Code blocks in the documentation are valid: TypeScript compiles against the published types, JSON and YAML can be
 * parsed.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { newFolder } from "../../../emulator/test/support/folder";
import { type Block, blocksOf, documents, ROOT, schemaBlocks } from "../support/markdown";

const allBlocks = [...documents().flatMap((file) => blocksOf(file)), ...schemaBlocks()];
const blocksIn = (...names: string[]) => allBlocks.filter(({ language }) => names.includes(language));
const locationOf = ({ file, line }: Block) => `${file}:${line}`;

/** Declarations of the variables that a block may use without declaring them: `<!-- uses: agent, config -->`. */
const DECLARATIONS: Record<string, string> = {
  config: "declare const config: pulumi.Config;",
  agent: "declare const agent: agentgraph.Deployment;",
  lake: "declare const lake: agentgraph.BulkExportDestination;",
  concierge: "declare const concierge: agentgraph.Assistant;",
  thread: "declare const thread: agentgraph.Thread;",
  welcome: "declare const welcome: agentgraph.Thread;",
  support: "declare const support: agentgraph.Deployment;",
  running:
    `declare const running: (image: string) => { source: "external_docker"; sourceRevisionConfig: { imageUri: ` +
    "string } };",
};

/** Imports and declarations in one line, so that compiler errors have the line numbers of the page. */
function preamble({ text, notes }: Block): string {
  const imports = { agentgraph: "pulumi-agentgraph", pulumi: "@pulumi/pulumi" };
  const missing = Object.entries(imports).filter(([name]) => !text.includes(`import * as ${name} `));
  const names = (notes.uses ?? notes.edit ?? "").split(/[,\s]+/).filter(Boolean);
  const unknown = names.filter((name) => !(name in DECLARATIONS));
  if (unknown.length > 0) throw new Error(`unknown variables ${unknown.join(", ")}; add them to DECLARATIONS.`);
  const lines = missing.map(([name, from]) => `import * as ${name} from "${from}";`);
  return [...lines, ...names.map((name) => DECLARATIONS[name])].join(" ");
}

/** Compiles all blocks in one run. @returns the errors, each with page and line */
async function compile(blocks: readonly Block[]): Promise<string[]> {
  const folder = newFolder();
  const packages = { "pulumi-agentgraph": ROOT, "pulumi-agentgraph-emulator": join(ROOT, "emulator") };
  for (const name of ["@pulumi/pulumi", "@types/node"]) await link(folder, name, join(ROOT, "node_modules", name));
  for (const [name, target] of Object.entries(packages)) await link(folder, name, target);
  for (const block of blocks) {
    // A top-level await requires an ES module.
    const extension = /^(const .* = )?await /m.test(block.text) ? "mts" : "ts";
    const path = join(folder, `${block.file}.${block.line}.${extension}`);
    await save(path, `${preamble(block)}${"\n".repeat(block.line - 1)}${block.text}`);
    // Other blocks of the page may import it.
    if (block.notes.file) await save(join(dirname(path), block.notes.file), block.text);
  }
  const compilerOptions = { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true };
  const config = {
    compilerOptions: { ...compilerOptions, types: ["node"], allowImportingTsExtensions: true },
    include: ["**/*.ts", "**/*.mts"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/@typescript/native/bin/tsc");
  const args = [tsc, "-p", ".", "--pretty", "false"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((failure) => failure);
  const lines: string[] = stdout.split("\n").filter((line: string) => line !== "");
  return lines.map((line) => line.replace(/^(\S+)\.\d+\.m?ts\((\d+),\d+\)/, "$1:$2"));
}

async function save(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function link(folder: string, name: string, target: string): Promise<void> {
  const path = join(folder, "node_modules", name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

/** Parses a sequence of JSON values with comments. @throws SyntaxError */
function parseJson(text: string): void {
  const plain = text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/.*$/gm, (_, string) => string ?? "");
  let depth = 0;
  let value = "";
  for (const [part] of plain.matchAll(/"(?:[^"\\\n]|\\.)*"|[\s\S]/g)) {
    value += part;
    if (/[[{]/.test(part) && part.length === 1) depth++;
    if (/[\]}]/.test(part) && part.length === 1) depth--;
    if (depth > 0 || value.trim() === "" || !/[\]}]$/.test(value)) continue;
    JSON.parse(value);
    value = "";
  }
  if (value.trim() !== "") JSON.parse(value);
}

/**
 * Part of an example, which is compiled where the packages that it imports are installed:
 * `<!-- example: aws-export -->`.
 */
const isExcerpt = ({ notes }: Block) => notes.example !== undefined;
const programs = blocksIn("ts", "typescript");

test("every TypeScript block compiles against the published types", async () => {
  expect(await compile(programs.filter((block) => !isExcerpt(block)))).toEqual([]);
});

test("every block that shows a part of an example is a part of it", () => {
  const excerpts = programs.filter(isExcerpt);
  expect(excerpts.length).toBeGreaterThan(0);
  for (const block of excerpts) {
    const source = readFileSync(join(ROOT, "examples", block.notes.example ?? "", "index.ts"), "utf8");
    expect([locationOf(block), source]).toEqual([locationOf(block), expect.stringContaining(block.text)]);
  }
});

test("a compiler error names the page and the line of its block", async () => {
  const page = "A\n\n<!-- uses: agent -->\n\n```ts\nagent.url;\nagent.noSuchOutput;\nnew agentgraph.Nothing();\n```\n";
  expect(await compile(blocksOf("docs/page.md", page))).toEqual([
    expect.stringContaining(
      "docs/page.md:7: error TS2339: Property 'noSuchOutput' does not exist on type 'Deployment<",
    ),
    expect.stringMatching(/^docs\/page.md:8: error TS\d+: .*'Nothing'/),
  ]);
});

test("every JSON block can be parsed", () => {
  const blocks = blocksIn("json", "jsonc");
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    try {
      parseJson(block.text);
    } catch (error) {
      throw new Error(`${locationOf(block)}: ${error}`);
    }
  }
});

const yamlErrors = (text: string) =>
  parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message));

test("every YAML block can be parsed", () => {
  for (const block of blocksIn("yaml", "yml"))
    expect([locationOf(block), yamlErrors(block.text)]).toEqual([locationOf(block), []]);
  expect(yamlErrors("a: [1\nb: 2")).not.toEqual([]);
});

test("every block names a known language", () => {
  const known = new Set([
    ...["ts", "typescript", "python", "java", "go", "csharp", "sh", "json", "jsonc", "yaml", "js", "sql", "text"],
    ...["mermaid", ""],
  ]);
  expect(allBlocks.filter(({ language }) => !known.has(language)).map(locationOf)).toEqual([]);
});
