/** Deployments that exist when a test begins. */
import type { PropertyMap } from "../../../provider/schema/schema";
import { type Platform, startPlatform } from "../platform";
import { Stack, stateOf } from "../stack";

/** Creates the deployment on a new platform and clears its request log. */
export async function createDeployment(
  declared: PropertyMap,
): Promise<{ platform: Platform; stack: Stack; id: string }> {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  await stack.up(declared);
  await platform.emulator.requestLog.clear();
  return { platform, stack, id: stateOf(stack).id };
}

/** Returns how many revisions the server has of a deployment. */
export const countRevisions = async (platform: Platform, id: string): Promise<number> =>
  (await platform.getDeployment(id)).revisions.length;
