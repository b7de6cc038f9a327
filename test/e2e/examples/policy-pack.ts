/** The policy pack of an example, with what the CLI needs to run it. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { ROOT } from "../support/packages/checkout";
import { Program } from "../support/programs/program";

/** Starts a policy pack, as the language host of a released CLI does. */
const RUNNER = join(ROOT, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
const LAUNCHER = `#!/bin/sh\nexec node ${JSON.stringify(RUNNER)} "$@"\n`;

/** Copies the pack with its dependencies. @returns Its folder, and the environment in which the CLI runs it. */
export async function copyPolicyPack(example: string, parent: string): Promise<{ pack: string; PATH: string }> {
  const pack = join(parent, example);
  await Program.copy(example, pack);
  const PATH = process.env.PATH ?? "";
  const cli = PATH.split(delimiter).find((folder) => existsSync(join(folder, "pulumi"))) ?? "";
  if (existsSync(join(cli, "pulumi-analyzer-policy"))) return { pack, PATH };
  // The language host that scripts/setup builds with Go starts no policy packs; for a runtime without a host, the CLI
  // starts this analyzer itself.
  const project = join(pack, "PulumiPolicy.yaml");
  await writeFile(project, (await readFile(project, "utf8")).replace("runtime: nodejs", "runtime: launcher"));
  const launcher = join(parent, "bin", "pulumi-analyzer-policy-launcher");
  await mkdir(dirname(launcher), { recursive: true });
  await writeFile(launcher, LAUNCHER);
  await chmod(launcher, 0o755);
  return { pack, PATH: `${dirname(launcher)}${delimiter}${PATH}` };
}
