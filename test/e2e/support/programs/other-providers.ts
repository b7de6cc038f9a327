/** Examples that use other providers: with the real packages, and a provider that stands in for theirs. */
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { dependencies } from "../../../../toolchain/optional/providers/package.json";
import type { CommandResult } from "../cli/cli";
import { ROOT } from "../packages/checkout";
import type { World } from "../world";
import type { Program } from "./program";

/** Names of the packages, such as `@pulumi/aws`. */
export const PACKAGES = Object.keys(dependencies);

/** Returns node_modules with the packages and the SDK of this checkout, as after `npm install` in a project. */
export async function installProviders(world: World, modules: string): Promise<string> {
  const target = join(await world.createFolder("providers"), "node_modules");
  const sdk = join("@pulumi", "pulumi");
  await cp(modules, target, { recursive: true, filter: (path) => !path.endsWith(join("node_modules", sdk)) });
  await symlink(join(ROOT, "node_modules", sdk), join(target, sdk));
  return target;
}

/** Lets the engine start the stand-in where it would start the plugins of the packages. */
export async function useStandIn(program: Program, standIn: string): Promise<void> {
  const folder = join(program.folder, "plugins");
  await mkdir(folder);
  const names = PACKAGES.map((name) => basename(name));
  await Promise.all(names.map((name) => symlink(standIn, join(folder, `pulumi-resource-${name}`))));
  const file = join(program.folder, "Pulumi.yaml");
  const text = await readFile(file, "utf8");
  const providers = names.map((name) => `    - name: ${name}\n      path: ${JSON.stringify(folder)}\n`);
  const head = text.includes("\nplugins:\n") ? "" : "plugins:\n  providers:\n";
  await writeFile(file, text + head + providers.join(""));
}

/** Returns the ends of all steps in their order, such as `update lake`, also of resources of other providers. */
export function completedSteps({ events }: CommandResult): string[] {
  return events.flatMap(({ resOutputsEvent }) => {
    const step = resOutputsEvent?.metadata;
    const isStep = step && step.op !== "same" && !step.type.startsWith("pulumi:");
    return isStep ? [`${step.op} ${step.urn.split("::").at(-1)}`] : [];
  });
}
