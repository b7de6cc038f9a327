/** Parses Markdown files: code blocks with the comments above them, links, and heading anchors. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(__dirname, "../../..");

/** A fenced block of code. */
export interface Block {
  /** Path relative to the root of the repository. */
  file: string;
  /** Line number of the first line of code, from 1. */
  line: number;
  /** The language after the fence, such as `ts` or `sh`. */
  language: string;
  text: string;
  /** HTML comments directly above the block, by their first word: `<!-- uses: agent -->` is `{ uses: "agent" }`. */
  notes: Record<string, string>;
}

/** Pages that only the Pulumi Registry shows. Their links lead to pages of the Registry. */
export const REGISTRY_PAGES: readonly string[] = ["docs/_index.md", "docs/installation-configuration.md"];

/** What coding agents of users read. */
export const SKILL = "skills/pulumi-agentgraph/SKILL.md";

/** Returns the paths of all documents that users and contributors read. */
export function documents(): string[] {
  const files = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const pages = files.filter((name) => name.endsWith(".md"));
  const examples = readdirSync(join(ROOT, "plugin/schema/examples"));
  const others = [
    ...["README.md", "CONTRIBUTING.md", "AGENTS.md", SKILL, "CHANGELOG.md", "emulator/README.md", "examples/README.md"],
    ...["examples/fleet/README.md", "acceptance/README.md", "scripts/README.md"],
  ];
  return [
    ...others,
    ...pages.map((name) => `docs/${name}`),
    ...examples.map((name) => `plugin/schema/examples/${name}`),
  ];
}

export const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Returns the code blocks of the package schema: the examples of all resources and functions, in all languages. */
export function schemaBlocks(): Block[] {
  const { resources, functions } = JSON.parse(textOf("plugin/schema.json"));
  const entries = Object.entries<{ description: string }>({ ...resources, ...functions });
  return entries.flatMap(([token, { description }]) => blocksOf(`plugin/schema.json/${token}`, description));
}

/** Returns what the website adds to the blocks of the guide in other languages, as programs that compile. */
export function translatedBlocks(): Block[] {
  const script = `import { readFileSync } from "node:fs";
    import { completePrograms } from "./scripts/docs/languages.ts";
    const schema = JSON.parse(readFileSync("plugin/schema.json", "utf8"));
    const read = (file) => completePrograms(readFileSync(file, "utf8"), schema);
    const blocksOf = (file) => read(file).map((block) => ({ ...block, file }));
    console.log(JSON.stringify(process.argv.slice(1).flatMap(blocksOf)));`;
  const args = ["--input-type=module", "-e", script, ...documents()];
  const printed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 });
  return (JSON.parse(printed) as Block[]).map((block) => ({ ...block, line: 0, notes: {}, text: `${block.text}\n` }));
}

/** Returns every code block of a file. @throws Error if a block is not closed */
export function blocksOf(file: string, text = textOf(file)): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const [, indent = "", fence = "", language = ""] = /^(\s*)(```+)(\w*)/.exec(lines[index] ?? "") ?? [];
    if (!fence) continue;
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end < 0) throw new Error(`${file}:${index + 1}: this code block is not closed.`);
    const code = lines.slice(index + 1, end).map((line) => line.slice(Math.min(indent.length, line.search(/\S|$/))));
    blocks.push({ file, line: index + 2, language, text: `${code.join("\n")}\n`, notes: notesAbove(lines, index) });
    index = end;
  }
  return blocks;
}

/** Parses `<!-- word: value -->` lines above a block. Empty lines in between are allowed. */
function notesAbove(lines: readonly string[], fence: number): Record<string, string> {
  const notes: Record<string, string> = {};
  for (let index = fence - 1; index >= 0; index--) {
    const line = lines[index]?.trim() ?? "";
    const [, word, value = ""] = /^<!--\s*(\w+)(?::\s*(.*?))?\s*-->$/.exec(line) ?? [];
    if (word) notes[word] = value;
    else if (line !== "") break;
  }
  return notes;
}

/** Returns the lines of a text with all code blanked out. Line numbers stay the same. */
export function proseOf(text: string): string[] {
  let fence = "";
  return text.split("\n").map((line) => {
    const [marker = ""] = /^\s*```+/.exec(line) ?? [];
    const inside = fence !== "";
    if (!inside) fence = marker.trim();
    else if (line.trim() === fence) fence = "";
    return inside || marker ? "" : line.replace(/`[^`]*`/g, "``");
  });
}

/** Returns every link with its line number. */
export function linksOf(text: string): { target: string; line: number }[] {
  return proseOf(text).flatMap((line, index) =>
    [...line.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => ({ target, line: index + 1 })),
  );
}

/** Returns the anchors that common repository hosts generate from the headings. */
export function anchorsOf(text: string): Set<string> {
  const fenced = proseOf(text);
  const anchors = new Set<string>();
  text.split("\n").forEach((line, index) => {
    if (!/^#{1,6} /.test(fenced[index] ?? "")) return;
    const plain = line.replace(/^#+ /, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const base = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = base;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${base}-${copy}`;
    anchors.add(anchor);
  });
  return anchors;
}
