/** Deployments that exist when a test begins. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { type Platform, startPlatform } from "../platform";
import { Stack, type StackOptions, stateOf } from "../stack";
import { dockerDeployment } from "./inputs";

interface Options {
  server?: Parameters<typeof startPlatform>[0];
  stack?: StackOptions;
}

/** Creates the deployment on a new platform and clears its request log. */
export async function createDeployment(
  declared: PropertyMap = dockerDeployment(),
  options: Options = {},
): Promise<{ platform: Platform; stack: Stack; id: string }> {
  const platform = await startPlatform(options.server);
  const stack = new Stack(platform, options.stack);
  await stack.up(declared);
  await platform.emulator.requestLog.clear();
  return { platform, stack, id: stateOf(stack).id };
}

/** Returns how many revisions the server has of a deployment. */
export const countRevisions = async (platform: Platform, id: string): Promise<number> =>
  (await platform.getDeployment(id)).revisions.length;
