/** Every number of the interface that the emulator obeys, with the section it comes from; then the emulator's own. */
export const limits = {
  /** interface.md section 4 A: page size of the deployment list. */
  list: { minLimit: 1, maxLimit: 100, defaultLimit: 20, minOffset: 0, defaultOffset: 0 },
  /** interface-notes.md section 2, row "logs". */
  logs: { minLimit: 1, maxLimit: 1000, defaultLimit: 50 },
  /** interface.md sections 2 and 8: cores. The ceilings do not hold on self-hosted installations. */
  cpu: { minimum: 0.1, requestCeiling: 8, limitCeiling: 16, decimals: 1 },
  /** interface.md section 8: memory comes in multiples of 128 MB. */
  memory: { multipleOf: 128 },
  /** interface.md section 2: an unset limit is this many times its request. */
  limitFactor: 2,
  /** interface-notes.md section 2, last paragraph of "Validation". */
  tarball: {
    maxBytes: 200 * 1024 * 1024,
    /** The emulator's own: it unpacks in memory. */
    maxUnpackedBytes: 512 * 1024 * 1024,
  },
  /** interface-notes.md section 2, row DELETE /v2/deployments. */
  deleteMany: { maxIds: 100 },
  /** Exports: interface.md sections 4 C (intervals), 7 and 8 (quotas), interface-notes.md section 3 (at once, retries). */
  exports: {
    minIntervalHours: 1,
    maxIntervalHours: 168,
    /** These three are not enforced on self-hosted installations. */
    creationsPerHour: 250,
    activeSchedules: 200,
    experiments: 250,
    exportsAtOnce: 15,
    runsAtOnce: 45,
    retries: 20,
    /** The emulator's own: windows of the past that a schedule catches up with before it takes a breath. */
    windowsAtOnce: 500,
  },
  /** The emulator's own: page size of the list of tracing projects (interface-notes.md section 3 gives none). */
  sessions: { maxLimit: 100, defaultOffset: 0 },
  /** interface-notes.md section 4: pages of threads and of a thread's history. */
  threads: { minLimit: 1, maxLimit: 1000, defaultLimit: 10 },
  history: { defaultLimit: 1 },
  /** The emulator's own: the largest JSON body (413 above it), and how deep it may be nested (400 beyond). */
  body: { maxBytes: 1024 * 1024, maxLevels: 500 },
  /** The emulator's own: the longest pattern of a path in a fault and in a query of the journal. */
  pathPattern: { maxLength: 2000 },
  /** The emulator's own: how many requests the journal remembers, and the largest body it shows. */
  journal: { maxEntries: 10_000, maxBodyBytes: 64 * 1024 },
} as const;

/** How long things take on the emulator's clock, in milliseconds: the emulator's own but where said, about 3 s to DEPLOYED. */
export const durations = {
  /** AWAITING_DATABASE to READY. */
  database: 400,
  /** How long a revision stays in each status on its way. */
  revision: {
    CREATING: 200,
    QUEUED: 300,
    AWAITING_BUILD: 200,
    BUILDING: 1000,
    AWAITING_DEPLOY: 300,
    DEPLOYING: 2000,
  } as Readonly<Record<string, number>>,
  /** A status that only a fault brings about (UNKNOWN, INTERRUPTED on its way elsewhere, a word of the future). */
  otherStatus: 1000,
  /** AWAITING_DELETE, then AWAITING_FINAL_DELETE, each. */
  deletion: 1000,
  /** The emulator's own: how long a run on a thread stays pending, and how long each of its nodes takes. */
  run: { pending: 100, node: 400 },
  export: {
    /** CREATED before its turn may come: the emulator's own. */
    created: 500,
    /** interface.md section 7: the rolling window of creations. */
    creationWindow: 3_600_000,
    /** interface.md section 4 C, rule 3: from a window's end to its export. */
    afterWindow: 600_000,
    /** The emulator's own: that breath, longer than `instantHorizon`, so that others are answered meanwhile. */
    breath: 120_000,
    /** interface-notes.md section 3: between two attempts of a run, and for one attempt. */
    retry: 30_000,
    attempt: 4 * 3_600_000,
    /** interface.md section 8: runtime of an export. */
    runtime: 72 * 3_600_000,
  },
  /** `--speed instant` runs the jobs due within this time before it answers; what is due later waits its turn. */
  instantHorizon: 60_000,
} as const;
