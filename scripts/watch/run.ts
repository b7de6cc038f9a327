/** `npm run watch`: what the newest published servers and clients send and accept, compared with the inventory. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inTemporaryFolder } from "../setup/cache.mjs";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { type Inventory, readInventory, readPackages, writeInventory } from "./inventory.ts";
import { javascriptItems } from "./javascript-items.ts";
import { openApiItems } from "./openapi-items.ts";
import { download, type UnpackedPackage } from "./packages.ts";
import { type Change, changesBetween, toTable, unknownIn } from "./report.ts";
import { readJudge } from "./verdict.ts";

export const usage = {
  command: "npm run watch",
  summary:
    "Downloads the newest published servers and clients of the platform, and compares what they send and " +
    "accept with the inventory. Nothing of them is executed.",
  options: {
    accept: { type: "boolean", meaning: "write what was found to the inventory, if nothing of it is unknown" },
  },
};

export async function main({ accept = false }: { accept?: boolean }): Promise<number> {
  const { env } = await ready({ cli: false });
  return inTemporaryFolder((folder: string) => compare(folder, env, accept));
}

async function compare(folder: string, env: NodeJS.ProcessEnv, accept: boolean): Promise<number> {
  const judge = readJudge(ROOT);
  const found: Inventory[] = [];
  const changes: Change[] = [];
  for (const one of readPackages(ROOT)) {
    const newest = await inventoryOf(await download(one, folder, env), env);
    const listed = accept ? { name: one.name, version: "none", items: [] } : readInventory(ROOT, one.name);
    console.log(`${one.name}: ${newest.items.length} items in ${newest.version}, compared with ${listed.version}`);
    found.push(newest);
    changes.push(...changesBetween(listed, newest, judge, accept));
  }
  const unknown = unknownIn(changes);
  const shown = accept ? unknown : changes;
  if (shown.length > 0) console.log(`\n${toTable(shown)}`);
  console.log(`\n${changes.length} changes, ${unknown.length} of them unknown`);
  if (unknown.length > 0) {
    console.log("Describe each in docs/platform-api/, or give the reason in toolchain/optional/watch/known.json.");
    return 1;
  }
  if (accept) for (const inventory of found) writeInventory(ROOT, inventory);
  return 0;
}

/** Reads what a package sends and accepts. */
async function inventoryOf(one: UnpackedPackage, env: NodeJS.ProcessEnv): Promise<Inventory> {
  const { name, version, folder, files, openapi, registry } = one;
  const items = registry === "npm" ? javascriptItems(folder, files) : await pythonItems(folder, files, env);
  const described = openapi ? openApiItems(JSON.parse(readFileSync(join(folder, openapi), "utf8"))) : [];
  return { name, version, items: [...new Set([...items, ...described])].sort() };
}

async function pythonItems(folder: string, files: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const script = join(ROOT, "scripts/watch/python-items.py");
  const failed = "The syntax trees could not be read";
  return JSON.parse(await run("python3", [script, folder, ...files], { env, failed }));
}
