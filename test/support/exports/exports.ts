import { defaultTenantId, type Fault } from "../../../emulator/src";
import type { PropertyMap } from "../../../provider/schema/schema";
import { type Platform, startPlatform } from "../platform";
import { type ResourceState, Stack, type StackOptions, stateOf } from "../stack";
import { destination } from "./destinations";
import { callTracingApi, tracingSettings } from "./tracing";

/** Three days in the past. */
const WINDOW = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-04T00:00:00Z" };

/** A workspace with a destination and a project with one run per hour of the window. */
export interface Workspace extends Platform {
  destinationId: string;
  sessionId: string;
  /** An export of the project's three days. */
  oneTime(change?: PropertyMap): PropertyMap;
  /** A daily schedule of the project that started 60 hours ago, so that two windows have passed. */
  daily(change?: PropertyMap): PropertyMap;
  /** Returns a stack with one resource of this type. */
  stack(kind: "BulkExport" | "ScheduledBulkExport", options?: StackOptions): Stack;
  /** Lists the exports of the workspace, newest first. */
  exports(): Promise<RemoteExport[]>;
  /** Sends a request without the provider. */
  callTracingApi(method: string, path: string, body?: unknown): Promise<{ status: number; body: RemoteExport }>;
}

/** An export as the API returns it. */
export interface RemoteExport extends PropertyMap {
  id: string;
  status: string;
}

export async function startWorkspace(...[options, ...faults]: Parameters<typeof startPlatform>): Promise<Workspace> {
  const platform = await startPlatform(options);
  const { id: destinationId } = (
    await callTracingApi(platform, "POST", "bulk-exports/destinations", toSnakeCase(destination(platform)))
  ).body;
  const hours = Array.from({ length: 72 }, (_, hour) => new Date(Date.parse(WINDOW.startTime) + hour * 3_600_000));
  const { session_id: sessionId } = await platform.emulator.loadRuns(
    { tenant_id: defaultTenantId, project: "agent" },
    hours.map((start_time, number) => ({
      id: runId(number),
      name: "turn",
      run_type: "chain",
      start_time: start_time.toISOString(),
    })),
  );
  await platform.emulator.requestLog.clear();
  for (const fault of faults) await platform.addFault(fault);
  const target = { bulkExportDestinationId: destinationId, sessionId };
  const hoursAgo = (hours: number) => new Date(platform.clock.now() - hours * 3_600_000).toISOString();
  return {
    ...platform,
    destinationId,
    sessionId,
    oneTime: (change = {}) => ({ ...target, ...WINDOW, ...change }),
    daily: (change = {}) => ({ ...target, startTime: hoursAgo(60), intervalHours: 24, ...change }),
    stack: (kind, { config, ...rest } = {}) =>
      new Stack(platform, { kind, name: "traces", config: { ...tracingSettings(platform), ...config }, ...rest }),
    exports: async () => (await callTracingApi(platform, "GET", "bulk-exports")).body as unknown as RemoteExport[],
    callTracingApi: (method, path, body) => callTracingApi(platform, method, path, body) as never,
  };
}

interface StartOptions {
  server?: Parameters<typeof startPlatform>[0];
  faults?: Fault[];
  stack?: StackOptions;
}

/** Starts a workspace, and returns the stack of an export. */
export async function startExport(
  kind: "BulkExport" | "ScheduledBulkExport",
  { server, faults = [], stack }: StartOptions = {},
): Promise<{ ws: Workspace; stack: Stack }> {
  const ws = await startWorkspace(server, ...faults);
  return { ws, stack: ws.stack(kind, stack) };
}

/** Creates the export in a new workspace and clears its request log. */
export async function createExport(
  kind: "BulkExport" | "ScheduledBulkExport",
  change: PropertyMap = {},
  options: StartOptions = {},
): Promise<{ ws: Workspace; stack: Stack } & ResourceState> {
  const { ws, stack } = await startExport(kind, options);
  await stack.up(kind === "BulkExport" ? ws.oneTime(change) : ws.daily(change));
  await ws.emulator.requestLog.clear();
  stack.messages = [];
  return { ws, stack, ...stateOf(stack) };
}

const runId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Converts keys to snake case. */
export function toSnakeCase(value: PropertyMap): PropertyMap {
  const key = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const part = (inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? toSnakeCase(inner as PropertyMap) : inner;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [key(name), part(inner)]));
}
