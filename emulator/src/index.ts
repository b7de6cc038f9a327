import { loadRuns, type RunsTarget } from "./admin/load-runs";
import { Operations } from "./admin/operations";
import { seedBucketData } from "./admin/seed/contents";
import type { Seed } from "./admin/seed/seed";
import { agentProxy } from "./agents/proxy/proxy";
import { resolveBucketKey } from "./bucket/credentials";
import type { BucketKey } from "./bucket/requests/signature";
import { serveBuckets } from "./bucket/server";
import { openBucketService } from "./bucket/service";
import type { Push, PushResult } from "./control-plane/sources/pushes";
import { listen } from "./http/server";
import { openContext, resume, routeNames, routesOf } from "./platform";
import type { Context } from "./runtime/context";
import type { ClockReading, RequestLogEntry } from "./runtime/descriptions";
import type { Fault, StoredFault } from "./runtime/faults";
import { lazyModule, loadAllModules } from "./runtime/lazy";
import { type EmulatorOptions, resolveSettings } from "./runtime/options";
import type { RequestLogFilter } from "./runtime/request-log";
import { acquireDataFolder, type DataFolder } from "./runtime/storage/data-folder";
import type { Loaded } from "./tracing/load-batches";
import type { RunInput } from "./tracing/read-run";

export { defaultTenantId } from "./http/auth";
export { routeNames } from "./platform";
export { UsageError } from "./runtime/errors";
export type {
  ClockReading,
  EmulatorOptions,
  Fault,
  Loaded,
  Push,
  PushResult,
  RequestLogEntry,
  RequestLogFilter,
  RunInput,
  RunsTarget,
  Seed,
  StoredFault,
};

/** A running emulator, controlled from the same process. `/_emulator` offers the same over HTTP. */
export interface Emulator {
  /**
   * `controlPlane` is the base URL of the API, `admin` that of `/_emulator`, `bucket` the endpoint of the object store.
   */
  urls: { controlPlane: string; admin: string; bucket: string };
  /** The object store that exports can write to, with its credentials. It initially contains the bucket `exports`. */
  bucket: BucketKey & { url: string };
  clock: {
    read(): ClockReading;
    /** Advances the clock and runs the jobs that become due, in order. Works while the clock is frozen. */
    advance(ms: number): Promise<void>;
    freeze(): Promise<void>;
    resume(): Promise<void>;
  };
  faults: {
    add(fault: Fault): Promise<StoredFault>;
    list(): StoredFault[];
    /** Removes one fault, or all. */
    clear(id?: number): Promise<void>;
  };
  requestLog: {
    entries(filter?: RequestLogFilter): RequestLogEntry[];
    count(filter?: RequestLogFilter): number;
    clear(): Promise<void>;
  };
  /** Inserts objects without validating rules. Returns their IDs. */
  seed(seed: Seed): Promise<Record<string, string[]>>;
  /** Adds trace runs to a project, which is created if necessary: all of them or none. */
  loadRuns(target: RunsTarget, runs: Iterable<RunInput>): Promise<Loaded>;
  /** Simulates a push to a repository. Returns the revisions that it created. */
  push(push: Push): Promise<PushResult>;
  /** Returns to a fresh emulator. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const admin = lazyModule(() => require("./admin/routes") as typeof import("./admin/routes"));

/** Starts an emulator and resolves when it is listening. @throws UsageError for invalid options. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  loadAllModules();
  return start(options);
}

/** Starts an emulator in a separate process. @internal */
export async function start(options: EmulatorOptions): Promise<Emulator> {
  const settings = resolveSettings(options, routeNames());
  const folder = acquireDataFolder(settings.data);
  const { bucketKey: accessKeyId, bucketSecret: secretAccessKey } = settings;
  const key = orRelease(folder, () => resolveBucketKey(folder.path, { accessKeyId, secretAccessKey }));
  const context = orRelease(folder, () => openContext(settings, folder.path, key));
  const { store, scheduler, backgroundTasks } = context;
  const close = () => {
    store.close();
    folder.release();
  };
  const buckets = orRelease(folder, () => openBucketService(folder.path, store));
  const onChange = () => scheduler.startTimer();
  const bucket = { ...key, url: "" };
  const operations = new Operations(context, buckets, bucket, onChange);
  const serverRoutes = {
    routes: routesOf(settings),
    onChange,
    adminRoutes: () => admin().adminRoutes(context, buckets, bucket, operations),
    page: () => admin().pageResponse(),
    proxy: settings.agents && agentProxy(context),
  };
  // The emulator's own port first: if both are taken, the error names the port that the user chose.
  const server = await listen(context, serverRoutes).catch((error) => {
    close();
    throw error;
  });
  const bucketServer = await serveBuckets(buckets, settings, key).catch(async (error) => {
    await server.close();
    close();
    throw error;
  });
  bucket.url = bucketServer.origin;
  store.transaction(() => seedBucketData(context, bucket));
  resume(context);
  onChange();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    scheduler.stop();
    context.notifier.closed = true;
    await server.close();
    // Tasks first: what they started must not look as if it had failed.
    await Promise.all([backgroundTasks.stop(), context.agents.stop()]);
    await bucketServer.close();
    close();
  };
  return {
    urls: { controlPlane: server.origin, admin: `${server.origin}/_emulator`, bucket: bucketServer.origin },
    bucket,
    ...controls(context, operations),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** The operations of a running emulator. */
function controls(context: Context, operations: Operations): Omit<Emulator, "urls" | "bucket" | "stop"> {
  const { clock, faults, requestLog } = context;
  return {
    clock: {
      read: () => clock.read(),
      advance: async (ms) => void (await operations.changeClock({ advance_ms: ms })),
      freeze: async () => void (await operations.changeClock({ frozen: true })),
      resume: async () => void (await operations.changeClock({ frozen: false })),
    },
    faults: {
      add: async (fault) => operations.addFault(fault),
      list: () => faults.list(),
      clear: async (id) => operations.removeFaults(id),
    },
    requestLog: {
      entries: (filter) => requestLog.entries(filter),
      count: (filter) => requestLog.count(filter),
      clear: async () => operations.clearRequestLog(),
    },
    seed: async (seed) => operations.seed(seed),
    loadRuns: async (target, runs) => loadRuns(context, target, runs),
    push: async (push) => operations.push(push),
    reset: async () => void (await operations.reset()),
  };
}

function orRelease<T>(folder: DataFolder, action: () => T): T {
  try {
    return action();
  } catch (error) {
    folder.release();
    throw error;
  }
}
