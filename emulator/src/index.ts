import { loadRuns, type RunsTarget } from "./admin/load-runs";
import { Operations } from "./admin/operations";
import { plantDemo } from "./admin/seed/demo/index";
import { plantFirstSeed, type Seed } from "./admin/seed/seed";
import { agentServerRoutes } from "./agent-server/routes";
import { defineRuns } from "./agent-server/runs/steps";
import { defineTtl } from "./agent-server/threads/ttl";
import { bucketKeyOf } from "./bucket/credentials";
import type { BucketKey } from "./bucket/requests/signature";
import { serveBuckets } from "./bucket/server";
import { openBuckets } from "./bucket/service";
import { destinationRoutes } from "./bulk-export/destinations/routes";
import { exportRoutes } from "./bulk-export/exports/routes";
import { defineExports, resumeExports } from "./bulk-export/runs/progress";
import { defineSchedules } from "./bulk-export/runs/schedules";
import { defineDeletion } from "./control-plane/deletion";
import { defineRollout } from "./control-plane/rollout/rollout";
import { controlPlaneRoutes } from "./control-plane/routes/index";
import type { Push, PushResult } from "./control-plane/sources/pushes";
import { Tarballs } from "./control-plane/sources/tarballs";
import { sweepTarballs } from "./control-plane/sources/uploads";
import type { Route } from "./http/route";
import { listen } from "./http/server";
import { loadAll } from "./lazy";
import type { Context } from "./runtime/context";
import { type Fault, Faults, type StoredFault } from "./runtime/faults";
import { type EmulatorOptions, type Settings, settle } from "./runtime/options";
import { Journal, type JournalEntry, type JournalFilter } from "./runtime/request-log";
import { Work } from "./runtime/scheduling/background-tasks";
import { Clock, type ClockReading } from "./runtime/scheduling/clock";
import { Signals } from "./runtime/scheduling/notifier";
import { Jobs } from "./runtime/scheduling/scheduler";
import { type Folder, takeFolder } from "./runtime/storage/data-folder";
import { Vault } from "./runtime/storage/secret-box";
import { Store } from "./runtime/storage/store";
import { Words } from "./runtime/validation/vocabulary";
import { type Loaded, sweepLoads } from "./tracing/load-batches";
import type { RunInput } from "./tracing/read-run";
import { sessionRoutes } from "./tracing/sessions";
import { workspaceRoutes } from "./workspaces/routes";

export { defaultTenantId } from "./http/auth";
export { UsageError } from "./runtime/errors";
export type {
  ClockReading,
  EmulatorOptions,
  Fault,
  JournalEntry,
  JournalFilter,
  Loaded,
  Push,
  PushResult,
  RunInput,
  RunsTarget,
  Seed,
  StoredFault,
};

/** A running emulator, steered from the same process. `/_emulator` offers the same over HTTP. */
export interface Emulator {
  /** `controlPlane` is the base url of the service, `admin` that of `/_emulator`, `bucket` the endpoint of the object store. */
  urls: { controlPlane: string; admin: string; bucket: string };
  /** The object store that exports can be written to, with the key that opens it. It begins with the bucket `exports`. */
  bucket: BucketKey & { url: string };
  clock: {
    read(): ClockReading;
    /** Moves the clock and runs what becomes due, in order; works while it is frozen. */
    advance(ms: number): Promise<void>;
    freeze(): Promise<void>;
    resume(): Promise<void>;
  };
  faults: {
    add(fault: Fault): Promise<StoredFault>;
    list(): StoredFault[];
    /** Removes one, or all. */
    clear(id?: number): Promise<void>;
  };
  journal: {
    entries(filter?: JournalFilter): JournalEntry[];
    count(filter?: JournalFilter): number;
    clear(): Promise<void>;
  };
  /** Adds objects past all rules; answers their ids. */
  seed(seed: Seed): Promise<Record<string, string[]>>;
  /** Adds trace runs to a project, which is made when there is none of that name: all of them or none. */
  loadRuns(target: RunsTarget, runs: Iterable<RunInput>): Promise<Loaded>;
  /** Simulates a push to a repository; answers the revisions that it made. */
  push(push: Push): Promise<PushResult>;
  /** Back to a fresh emulator. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** The names that `without` may hold: every route of the service that can be switched off. */
export function routeNames(): string[] {
  const settings = { strict: false, interfaceOnly: false } as const;
  return allRoutes(settings).map((route) => route.name);
}

function allRoutes(settings: Pick<Settings, "strict" | "interfaceOnly">): Route[] {
  return [
    ...controlPlaneRoutes(settings),
    ...destinationRoutes(settings),
    ...exportRoutes(settings),
    ...workspaceRoutes,
    ...sessionRoutes,
    ...agentServerRoutes(settings),
  ];
}

/** Starts an emulator; it listens when the promise is kept. Throws UsageError for mistakes in the options. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  loadAll();
  return startBare(options);
}

/** The same for a process that is the emulator's own. @internal */
export async function startBare(options: EmulatorOptions): Promise<Emulator> {
  const settings = settle(options, routeNames());
  const folder = takeFolder(settings.data);
  const { bucketKey: accessKeyId, bucketSecret: secretAccessKey } = settings;
  const key = orRelease(folder, () => bucketKeyOf(folder.path, { accessKeyId, secretAccessKey }));
  const context = orRelease(folder, () => openRooms(settings, folder.path));
  const { store, clock, jobs, work, faults, journal } = context;
  const close = () => {
    store.close();
    folder.release();
  };
  const arm = () => jobs.arm();
  const operations = new Operations(context, arm);
  const routes = allRoutes(settings).filter(
    (route) => !settings.without.includes(route.name) && (route.inInterface || !settings.interfaceOnly),
  );
  // Its own port first: where both are taken, that is the one that a person chose.
  const server = await listen(context, routes, operations, arm).catch((error) => {
    close();
    throw error;
  });
  const buckets = await serveBuckets(context.buckets, { port: settings.bucketPort, host: settings.host, key }).catch(
    async (error) => {
      await server.close();
      close();
      throw error;
    },
  );
  resumeExports(context);
  arm();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    jobs.stop();
    context.signals.closed = true;
    await server.close();
    await work.stop();
    await buckets.close();
    close();
  };
  return {
    urls: { controlPlane: server.origin, admin: `${server.origin}/_emulator`, bucket: buckets.url },
    bucket: { ...key, url: buckets.url },
    clock: {
      read: () => clock.read(),
      advance: async (ms) => void (await operations.turnClock({ advance_ms: ms })),
      freeze: async () => void (await operations.turnClock({ frozen: true })),
      resume: async () => void (await operations.turnClock({ frozen: false })),
    },
    faults: {
      add: async (fault) => operations.addFault(fault),
      list: () => faults.list(),
      clear: async (id) => operations.removeFaults(id),
    },
    journal: {
      entries: (filter) => journal.entries(filter),
      count: (filter) => journal.count(filter),
      clear: async () => operations.clearJournal(),
    },
    seed: async (seed) => operations.seed(seed),
    loadRuns: async (target, runs) => loadRuns(context, target, runs),
    push: async (push) => operations.push(push),
    reset: async () => void (await operations.reset()),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

function orRelease<T>(folder: Folder, work: () => T): T {
  try {
    return work();
  } catch (error) {
    folder.release();
    throw error;
  }
}

function openRooms(settings: Settings, folder: string): Context {
  const store = new Store(folder, settings.data === undefined);
  const clock = new Clock(store, settings.speed);
  const jobs = new Jobs(store, clock);
  const words = new Words(settings.vocabulary);
  const context: Context = {
    settings,
    folder,
    store,
    tarballs: new Tarballs(folder),
    vault: new Vault(folder, settings.data === undefined),
    buckets: openBuckets(folder, store),
    clock,
    jobs,
    work: new Work(store, () => jobs.arm()),
    words,
    faults: new Faults(store),
    journal: new Journal(store),
    signals: new Signals(),
  };
  defineRollout(context);
  defineDeletion(context);
  defineRuns(context);
  defineTtl(context);
  defineExports(context);
  defineSchedules(context);
  store.transaction(() => sweepLoads(store));
  store.transaction(() => {
    plantFirstSeed(context);
    plantDemo(context);
  });
  // Whoever is killed between a deletion and its clean-up leaves tarballs behind.
  sweepTarballs(context);
  return context;
}
