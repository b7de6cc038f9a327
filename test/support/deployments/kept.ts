/** Deployments whose conversations are kept in a folder of this test. */
import { pathToFileURL } from "node:url";
import { newFolder } from "../../../emulator/test/support/folder";
import type { PropertyMap } from "../../../provider/schema/schema";
import type { Platform } from "../platform";
import type { Stack, StackOptions } from "../stack";
import { startDeployment } from "./create";
import { dockerDeployment } from "./inputs";

/** The folder of this test for backups, and its URL. */
export const kept = { folder: "", at: "" };
beforeEach(() => {
  kept.folder = newFolder();
  kept.at = pathToFileURL(kept.folder).href;
});

export const declareKept = (change: PropertyMap = {}): PropertyMap =>
  dockerDeployment({ keepConversations: { at: kept.at, waiting: "leave" }, ...change });

/** Creates the deployment on a new platform. */
export async function startKept(
  inputs: PropertyMap = declareKept(),
  stackOptions: StackOptions = {},
): Promise<{ platform: Platform; stack: Stack; first: string }> {
  const { platform, stack } = await startDeployment({ stack: stackOptions });
  const { id: first } = await stack.stateAfter(inputs);
  return { platform, stack, first };
}
