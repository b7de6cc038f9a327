/** What is known of a package: the items of the version that was looked at last. In toolchain/optional/watch. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Inventory {
  name: string;
  version: string;
  items: readonly string[];
}

const FOLDER = "toolchain/optional/watch";
const WIDTH = 118;

const fileOf = (root: string, name: string) =>
  join(root, FOLDER, "inventory", `${name.replace("@", "").replaceAll("/", "-")}.txt`);

/** A package whose requests and responses the inventory lists: an entry of packages.json. */
export interface WatchedPackage {
  registry: "pypi" | "npm";
  name: string;
  /** The server's own OpenAPI description. */
  openapi?: string;
  /** Files whose keys and values are listed; a path, a header or a variable is listed wherever it stands. */
  files: string[];
}

export const readPackages = (root: string): WatchedPackage[] =>
  JSON.parse(readFileSync(join(root, FOLDER, "packages.json"), "utf8"));

/** @throws Error if nobody has looked at the package yet. */
export function readInventory(root: string, name: string): Inventory {
  const file = fileOf(root, name);
  if (!existsSync(file)) throw new Error(`${file} does not exist. Run \`npm run watch -- --accept\`.`);
  return parseInventory(readFileSync(file, "utf8"));
}

export const writeInventory = (root: string, inventory: Inventory): void =>
  writeFileSync(fileOf(root, inventory.name), formatInventory(inventory));

/** Formats items as paragraphs by what they begin with, so that a change is a short difference. */
export function formatInventory({ name, version, items }: Inventory): string {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const [head, rest] = splitItem(item);
    groups.set(head, [...(groups.get(head) ?? []), rest]);
  }
  const paragraphs = [...groups].map(([head, rests]) => `${head}:\n${wrap(rests)}`);
  return `${name} ${version}\n\n${paragraphs.join("\n")}\n`;
}

export function parseInventory(text: string): Inventory {
  const [title = "", ...lines] = text.split("\n");
  const [name = "", version = ""] = title.split(" ");
  let head = "";
  const items = lines.flatMap((line) => {
    if (!line.startsWith("  ")) head = line.replace(/:$/, "");
    const rests = line.startsWith("  ") ? line.trim().split(" ") : [];
    return rests.map((rest) => joinItem(head, rest));
  });
  return { name, version, items };
}

/** The items of a field or a value are listed by their object, those of a route by its method. */
function splitItem(item: string): [head: string, rest: string] {
  const at = /^(field|value) [^ ]+[.=]/.test(item)
    ? Math.max(item.lastIndexOf("."), item.lastIndexOf("="))
    : item.lastIndexOf(" ");
  return [item.slice(0, at + 1).trim(), item.slice(at + 1).replaceAll(" ", "_")];
}

const joinItem = (head: string, rest: string) => (/[.=]$/.test(head) ? head + rest : `${head} ${rest}`);

function wrap(words: readonly string[]): string {
  const lines = [""];
  for (const word of words) {
    const last = lines.length - 1;
    if ((lines[last]?.length ?? 0) + word.length + 1 > WIDTH) lines.push(word);
    else lines[last] = `${lines[last]} ${word}`.trim();
  }
  return lines.map((line) => `  ${line}`).join("\n");
}
