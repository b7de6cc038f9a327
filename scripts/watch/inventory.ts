/** What is known of a package: the items of the version that was looked at last. In toolchain/optional/watch. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Inventory {
  name: string;
  version: string;
  items: readonly string[];
}

const FOLDER = "toolchain/optional/watch";

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

/** One item a line, so that a change is a short difference. */
const formatInventory = ({ name, version, items }: Inventory): string =>
  `${[`${name} ${version}`, "", ...items].join("\n")}\n`;

function parseInventory(text: string): Inventory {
  const [title = "", , ...items] = text.trimEnd().split("\n");
  const [name = "", version = ""] = title.split(" ");
  return { name, version, items };
}
