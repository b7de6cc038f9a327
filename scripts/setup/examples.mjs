/** Links this package in the node_modules of each example, which is a separate project. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pointTo } from "./link.mjs";
import { ROOT } from "./paths.mjs";

/** Links `node_modules/pulumi-agentgraph` of every example to the checkout. */
export async function linkExamples() {
  const examples = join(ROOT, "examples");
  const names = await readdir(examples).catch(() => []);
  for (const name of names) {
    if (!existsSync(join(examples, name, "package.json"))) continue;
    const link = join(examples, name, "node_modules", "pulumi-agentgraph");
    await pointTo(link, relative(dirname(link), ROOT));
  }
}
