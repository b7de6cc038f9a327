/** Deployments that exist when a test begins. */
import type { Fault } from "../../../emulator/src/index";
import type { PropertyMap } from "../../../provider/schema/schema";
import { type Platform, startPlatform } from "../platform";
import { Stack, type StackOptions, stateOf } from "../stack";
import { dockerDeployment } from "./inputs";

interface Options {
  server?: Parameters<typeof startPlatform>[0];
  faults?: Fault[];
  stack?: StackOptions;
}

/** Starts a platform, and returns the stack of a deployment. */
export async function startDeployment({ server, faults = [], stack }: Options = {}) {
  const platform = await startPlatform(server, ...faults);
  return { platform, stack: new Stack(platform, stack) };
}

/** Creates the deployment on a new platform and clears its request log. */
export async function createDeployment(declared: PropertyMap = dockerDeployment(), options: Options = {}) {
  const { platform, stack } = await startDeployment(options);
  await stack.up(declared);
  await platform.emulator.requestLog.clear();
  return { platform, stack, ...stateOf(stack) };
}

/** Returns how many revisions the server has of a deployment. */
export const countRevisions = async (platform: Platform, id: string): Promise<number> =>
  (await platform.getDeployment(id)).revisions.length;

/** Returns the statuses of the revisions of a deployment, newest first. */
export const revisionsOf = async (platform: Platform, stack: Stack): Promise<string[]> =>
  (await platform.getDeployment(stateOf(stack).id)).revisions.map(({ status }) => status);
