import type { PropertyMap } from "../../../provider/schema/schema";
import { type Platform, startPlatform } from "../platform";
import { Stack, type StackOptions, stateOf } from "../stack";
import { callTracingApi, tracingSettings } from "./tracing";

/** Returns the inputs of a destination in the emulator's bucket. */
export function destination(
  { emulator: { bucket } }: Pick<Platform, "emulator">,
  { config = {}, credentials = {}, ...rest }: Change = {},
): PropertyMap {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = bucket;
  return {
    destinationType: "s3",
    displayName: "traces",
    config: { bucketName: "exports", prefix: "agents", endpointUrl, ...config },
    credentials: { accessKeyId, secretAccessKey, ...credentials },
    ...rest,
  };
}
export type Change = PropertyMap & { config?: PropertyMap; credentials?: PropertyMap };

/** Returns a stack with a destination. */
export function destinationStack(
  service: Pick<Platform, "clock" | "url">,
  { config, ...options }: StackOptions = {},
): Stack {
  return new Stack(service, {
    kind: "BulkExportDestination",
    name: "traces",
    config: { ...tracingSettings(service), ...config },
    ...options,
  });
}

/** A destination as the API returns it. */
export interface RemoteDestination {
  id: string;
  display_name: string;
  config: Record<string, unknown>;
  credentials_keys: string[];
}

/** Lists the destinations of the workspace, newest first. */
export async function destinationsIn(platform: Platform): Promise<RemoteDestination[]> {
  return (await callTracingApi(platform, "GET", "bulk-exports/destinations")).body as unknown as RemoteDestination[];
}

/** Starts a platform, and returns the stack of a destination. */
export async function startDestination({ server, stack }: StartOptions = {}) {
  const platform = await startPlatform(server);
  return { platform, stack: destinationStack(platform, stack) };
}

interface StartOptions {
  server?: Parameters<typeof startPlatform>[0];
  stack?: StackOptions;
}

/** Creates the destination on a new platform and clears its request log. */
export async function createDestination(change: PropertyMap = {}, ...[options]: Parameters<typeof startPlatform>) {
  const { platform, stack } = await startDestination(options && { server: options });
  await stack.up(destination(platform, change));
  await platform.emulator.requestLog.clear();
  stack.messages = [];
  return { platform, stack, ...stateOf(stack) };
}
