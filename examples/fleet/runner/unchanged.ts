// Recognizes stacks that need no update, so that a run continues where the last one stopped.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import type { Stack, StackSummary } from "@pulumi/pulumi/automation/index.js";
import { agentsOf, type Fleet } from "../fleet.ts";

const FOLDER = join(import.meta.dirname, "..");
const textOf = (name: string) => (existsSync(join(FOLDER, name)) ? readFileSync(join(FOLDER, name), "utf8") : "");

/**
 * Returns the message of an update, which Pulumi keeps in the history of the stack. It contains a digest of all that
 * the program reads: the code, its packages, the configuration, the agents.
 */
export function messageOf(fleet: Fleet, stack: string): string {
  const code = readdirSync(FOLDER).filter((name) => /\.ts$|^Pulumi\.yaml$|^package(-lock)?\.json$/.test(name));
  const packages = Object.keys(JSON.parse(textOf("package.json")).dependencies);
  const manifests = packages.map((name) => readFileSync(findPackageJSON(name, import.meta.url) ?? "", "utf8"));
  // The salt is also in the state, so that not every checkout has it.
  const config = textOf(`Pulumi.${stack}.yaml`).replace(/^encryptionsalt:.*\n?/m, "");
  const parts = [
    ...code.map(textOf),
    ...manifests.map((text) => JSON.parse(text).version),
    config,
    JSON.stringify(agentsOf(fleet, stack)),
  ];
  return `fleet ${createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16)}`;
}

/**
 * Whether the last thing that happened to a stack is a successful update with this message. A run that was killed is
 * not in the history, but leaves a state that is newer. Only `pulumi state` and `pulumi stack import` leave no trace.
 */
export async function isUnchanged(stack: Stack, summary: StackSummary, message: string): Promise<boolean> {
  const [last] = await stack.history(1, 1, false);
  if (last?.kind !== "update" || last.result !== "succeeded" || last.message !== message) return false;
  // The history has whole seconds.
  return Date.parse(summary.lastUpdate ?? "") < last.endTime.getTime() + 1000;
}
