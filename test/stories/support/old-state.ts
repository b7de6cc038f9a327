/** States that earlier versions left: each a folder in test/old-states with the program, its state, and what the platform held. */
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Seed } from "../../../emulator/src/index";
import { ROOT } from "./program";
import type { Stack } from "./stack";
import type { Told, World } from "./world";

const FOLDER = join(ROOT, "test", "old-states");
/** Stands for the platform's address, which is another one each time. */
const URL_HERE = "{{url}}";
/** What the engine notes about the machine on which a program ran. */
const OF_THE_MACHINE = new Set(["sourcePosition", "stackTrace"]);

export const oldStates = readdirSync(FOLDER);

const fileOf = (name: string, file: string) => join(FOLDER, name, file);

/** The program that the state was made by, with the URL of the platform in the environment. */
export const oldProgram = (name: string) => readFile(fileOf(name, "program.js"), "utf8");

/** Brings the platform and the stack to where they were then. */
export async function restore(name: string, stack: Stack, world: World): Promise<void> {
  const platform: Seed = JSON.parse(await readFile(fileOf(name, "platform.json"), "utf8"));
  await world.emulator.seed(platform);
  const state = await readFile(fileOf(name, "state.json"), "utf8");
  await stack.program.file("state.json", state.replaceAll(URL_HERE, world.url));
  await stack.must("stack", "import", "--file", "state.json");
}

/** Keeps the stack and the platform as they are now for later versions. */
export async function record(name: string, stack: Stack, world: World, deployments: Told[]): Promise<void> {
  await mkdir(join(FOLDER, name), { recursive: true });
  const state = JSON.stringify(await stack.state(), (key, value) => (OF_THE_MACHINE.has(key) ? undefined : value), 2);
  await writeFile(fileOf(name, "state.json"), `${state.replaceAll(world.url, URL_HERE)}\n`);
  const platform = { deployments: deployments.map(asSeed) };
  await writeFile(fileOf(name, "platform.json"), `${JSON.stringify(platform, null, 2)}\n`);
}

/** A deployment without what its revision decides. */
function asSeed({ latest_revision_id, active_revision_id, revisions, updated_at, ...rest }: Told): object {
  return { ...rest, source_config: { ...rest.source_config, custom_url: null } };
}
