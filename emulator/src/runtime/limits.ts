/** Every limit of the interface that the emulator enforces, with its source; then the limits of the emulator itself. */
export const limits = {
  /** API `8.Deployment list page size`: page size of the deployment list. */
  list: { minLimit: 1, maxLimit: 100, defaultLimit: 20, minOffset: 0, defaultOffset: 0 },
  /** API `4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs`. */
  logs: { minLimit: 1, maxLimit: 1000, defaultLimit: 50 },
  /** API `8.cpu`, in cores. The ceilings do not apply to self-hosted installations. */
  cpu: { minimum: 0.1, requestCeiling: 8, limitCeiling: 16, decimals: 1 },
  /** API `8.Self-hosted CPU and memory requests:granularity`: memory is a multiple of 128 MB. */
  memory: { multipleOf: 128 },
  /** API `2A.ResourceSpec`: the default of a limit is its request times this factor. */
  limitFactor: 2,
  /** API `4A.upload`. */
  tarball: {
    maxBytes: 200 * 1024 * 1024,
    /** The emulator's own, because it unpacks in memory. */
    maxUnpackedBytes: 512 * 1024 * 1024,
    /** The emulator's own: the entries of an archive, and the folders and the bytes of a name in its paths. */
    maxHeaders: 100_000,
    maxDepth: 100,
    maxNameBytes: 255,
    maxExtendedHeaderBytes: 1024 * 1024,
  },
  /** API `4A.DELETE /v2/deployments`. */
  deleteMany: { maxIds: 100 },
  /** API `8` and `2C.Export run:attempts`: intervals, quotas, concurrency and retries. */
  exports: {
    minIntervalHours: 1,
    maxIntervalHours: 168,
    /** These three limits do not apply to self-hosted installations. */
    creationsPerHour: 250,
    activeSchedules: 200,
    experiments: 250,
    /** API `4C.GET /api/v1/bulk-exports:pages`. */
    maxLimit: 1000,
    concurrentExports: 15,
    concurrentRuns: 45,
    retries: 20,
    /** The emulator's own: past windows that a schedule processes before it pauses (`catchUpPause`). */
    windowsPerBatch: 500,
  },
  /** The emulator's own: page size of the tracing project list. */
  sessions: { maxLimit: 100, defaultOffset: 0 },
  /** API `4B`: pages of threads and of a thread's history. */
  threads: { minLimit: 1, maxLimit: 1000, defaultLimit: 10 },
  history: { defaultLimit: 1 },
  /** Measured on the published agent servers: pages of assistants, their versions, and crons. */
  assistants: { minLimit: 1, maxLimit: 1000, defaultLimit: 10 },
  crons: { maxWebhookLength: 65_536 },
  store: { defaultNamespaces: 100 },
  /** The emulator's own: the largest JSON body (else 413) and its deepest nesting (else 400). */
  body: { maxBytes: 1024 * 1024, maxDepth: 500 },
  /** The emulator's own: the largest body of an agent server, whose messages may contain files. Real ones have none. */
  agentBody: { maxBytes: 64 * 1024 * 1024 },
  /** The emulator's own: the longest path pattern in a fault or a request log filter. */
  pathPattern: { maxLength: 2000 },
  /**
   * The emulator's own: the longest step of the clock, and its last moment. Dates beyond have no ISO 8601 form with
   * four digits.
   */
  clock: { maxAdvanceMs: 3650 * 86_400_000, lastMs: Date.UTC(9999, 11, 31), maxSpeed: 1_000_000 },
  /** The emulator's own: the longest delay of a request. A timer of Node.js fires at once after 2^31 ms. */
  fault: { maxDelayMs: 86_400_000 },
  /**
   * The emulator's own: the largest count or ID in a request to the admin API, which SQLite stores without rounding.
   */
  admin: { maxInteger: Number.MAX_SAFE_INTEGER },
  /**
   * The emulator's own: how many requests the log keeps, how many of them with complete bodies, and the largest body.
   */
  requestLog: { maxEntries: 100_000, maxBodies: 10_000, maxBodyBytes: 64 * 1024 },
} as const;

/**
 * Durations in milliseconds on the emulator's clock. They are the emulator's own unless a source is named; DEPLOYED
 * takes about 3 s.
 */
export const durations = {
  /** From AWAITING_DATABASE to READY. */
  database: 400,
  /** Time in each status of a rollout. */
  revision: {
    CREATING: 200,
    QUEUED: 300,
    AWAITING_BUILD: 200,
    BUILDING: 1000,
    AWAITING_DEPLOY: 300,
    DEPLOYING: 2000,
  } as Readonly<Record<string, number>>,
  /** Time in a status that only a fault causes, such as UNKNOWN. */
  otherStatus: 1000,
  /** How long a deleted deployment is AWAITING_DELETE, and then AWAITING_FINAL_DELETE (API `4A.DELETE:grace`). */
  deletion: { described: [1000, 1000], today: [3_600_000, 7 * 86_400_000 - 3_600_000] },
  /** How long a run on a thread stays pending, and how long each of its nodes takes. */
  run: { pending: 100, node: 400 },
  /** How often the server looks for crons whose time has come. */
  cronLook: 5000,
  export: {
    /** Shortest time in CREATED. */
    created: 500,
    /** API `7.429`: the rolling window of the creation quota. */
    creationWindow: 3_600_000,
    /** API `4C.3`: from the end of a window to its export. */
    afterWindow: 600_000,
    /** Pause of `windowsPerBatch`. Longer than `instantHorizon`, so that other requests are served meanwhile. */
    catchUpPause: 120_000,
    /** API `2C.Export run:attempts`: between two attempts of a run, and the timeout of one attempt. */
    retry: 30_000,
    attempt: 4 * 3_600_000,
    /** API `8.Export runtime`: the maximum runtime of an export. */
    runtime: 72 * 3_600_000,
  },
  /** `--speed instant` runs jobs that are due within this time before it responds. Later jobs wait for the clock. */
  instantHorizon: 60_000,
} as const;
