import { EventEmitter } from "node:events";
import { seedInitialData } from "./admin/seed/contents";
import { agentServer } from "./agent-server/feature";
import { agents } from "./agents/feature";
import { tables as bucketTables } from "./bucket/tables";
import { bulkExport } from "./bulk-export/feature";
import { controlPlane } from "./control-plane/feature";
import { authTables } from "./http/auth";
import type { Feature, RouteSettings } from "./http/feature";
import type { Route } from "./http/route";
import { Agents } from "./runtime/agents/agents";
import type { Context } from "./runtime/context";
import { Faults } from "./runtime/faults";
import { platforms, type Settings } from "./runtime/options";
import { RequestLog } from "./runtime/request-log";
import { BackgroundTasks } from "./runtime/scheduling/background-tasks";
import { Clock } from "./runtime/scheduling/clock";
import { Notifier } from "./runtime/scheduling/notifier";
import { Scheduler } from "./runtime/scheduling/scheduler";
import { SecretBox } from "./runtime/storage/secret-box";
import { Store } from "./runtime/storage/store";
import { Vocabulary } from "./runtime/validation/vocabulary";
import { tracing } from "./tracing/feature";
import { workspaces } from "./workspaces/feature";

/**
 * All features, in the order of the documentation. `runtime/` serves `http/`, both serve the features, and `admin/`
 * controls them; this file assembles them for index.ts, the in-process API, and for `cli/`.
 */
const features: readonly Feature[] = [controlPlane, bulkExport, workspaces, tracing, agentServer, agents];

/** Returns the enabled routes of the platform. */
export function routesOf(settings: Settings): Route[] {
  return allRoutes(settings).filter(
    ({ name, isDescribed }) => !settings.without.includes(name) && (isDescribed || !settings.interfaceOnly),
  );
}

/** Returns the names that `without` accepts: all routes of the platform. */
export function routeNames(): string[] {
  const settings = { strict: false, interfaceOnly: false, agentServer: "python" } as const;
  return [...new Set(platforms.flatMap((platform) => allRoutes({ ...settings, platform }).map(({ name }) => name)))];
}

function allRoutes(settings: RouteSettings): Route[] {
  return features.flatMap(({ routes }) => routes?.(settings) ?? []);
}

/** Opens a data folder and seeds a new one. No job runs yet. */
export function openContext(settings: Settings, folder: string, bucketKey: Context["bucketKey"]): Context {
  const temporary = settings.data === undefined;
  const store = new Store(folder, [authTables, bucketTables, ...features.map(({ tables }) => tables)], temporary);
  const clock = new Clock(store, settings.speed);
  const scheduler = new Scheduler(store, clock);
  const secretBox = new SecretBox(folder, temporary);
  const context: Context = {
    settings,
    folder,
    store,
    clock,
    scheduler,
    secretBox,
    bucketKey,
    backgroundTasks: new BackgroundTasks(store, () => scheduler.startTimer()),
    vocabulary: new Vocabulary(settings.vocabulary),
    faults: new Faults(store),
    requestLog: new RequestLog(store, secretBox),
    notifier: new Notifier(),
    agents: new Agents(),
    events: new EventEmitter(),
  };
  for (const { register } of features) register?.(context);
  store.transaction(() => seedInitialData(context));
  for (const { cleanUp } of features) cleanUp?.(context);
  return context;
}

/** Resumes what the end of the last process interrupted. */
export function resume(context: Context): void {
  for (const feature of features) feature.resume?.(context);
}
