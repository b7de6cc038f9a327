/** What is written in Markdown files: blocks of code with what stands above them, links, and headings to link to. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(__dirname, "../../..");

/** A fenced block of code. */
export interface Block {
  /** The file, from the root of the repository. */
  file: string;
  /** Where its first line of code is, from 1. */
  line: number;
  /** The word after the fence: `ts`, `sh`, `json`. */
  language: string;
  text: string;
  /** What an HTML comment right above it says to the checks, which readers do not see: `<!-- given: agent -->`. */
  notes: Record<string, string>;
}

/** The texts that users and contributors read. */
export function documents(): string[] {
  const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "emulator/README.md", "scripts/README.md"];
  return [...others, ...pages.map((name) => `docs/${name}`)];
}

export const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Every block of a text. @throws when one is not closed. */
export function blocksOf(file: string, text = textOf(file)): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const [, indent = "", fence = "", language = ""] = /^(\s*)(```+)(\w*)/.exec(lines[index] ?? "") ?? [];
    if (!fence) continue;
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end < 0) throw new Error(`${file}:${index + 1}: this block of code is not closed.`);
    const code = lines.slice(index + 1, end).map((line) => line.slice(Math.min(indent.length, line.search(/\S|$/))));
    blocks.push({ file, line: index + 2, language, text: `${code.join("\n")}\n`, notes: notesAbove(lines, index) });
    index = end;
  }
  return blocks;
}

/** `<!-- word: value -->` lines above a block, with nothing or an empty line in between. */
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

/** The text without its code, line by line, so that numbers of lines stay. */
function prose(text: string): string[] {
  let fence = "";
  return text.split("\n").map((line) => {
    const [mark = ""] = /^\s*```+/.exec(line) ?? [];
    const inside = fence !== "";
    if (!inside) fence = mark.trim();
    else if (line.trim() === fence) fence = "";
    return inside || mark ? "" : line.replace(/`[^`]*`/g, "``");
  });
}

/** Every link, with the line that it stands on. */
export function linksOf(text: string): { target: string; line: number }[] {
  return prose(text).flatMap((line, index) =>
    [...line.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => ({ target, line: index + 1 })),
  );
}

/** What a link may name after `#`, as the common hosts of repositories make it from headings. */
export function anchorsOf(text: string): Set<string> {
  const fenced = prose(text);
  const anchors = new Set<string>();
  text.split("\n").forEach((line, index) => {
    if (!/^#{1,6} /.test(fenced[index] ?? "")) return;
    const plain = line.replace(/^#+ /, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const base = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = base;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${base}-${again}`;
    anchors.add(anchor);
  });
  return anchors;
}
