import type { RouteSettings } from "../http/feature";
import { limits } from "../runtime/limits";
import * as v from "../runtime/validation/schema";
import { traits } from "./server/server-traits";

type Mode = Pick<RouteSettings, "interfaceOnly" | "agentServer">;

const statuses = ["idle", "busy", "interrupted", "error"] as const;
const { minLimit, maxLimit, defaultLimit } = limits.threads;
const limit = (defaultValue: number) =>
  v.withDefault(v.integer({ minimum: minLimit, maximum: maxLimit }), defaultValue);
const offset = v.withDefault(v.integer({ minimum: 0 }), 0);

const ttl = v.object("Ttl", {
  strategy: v.withDefault(v.enumOf(["delete", "keep_latest"]), "delete"),
  /** Minutes. Without them, and with a negative number, the thread never expires, as on a server in memory. */
  ttl: v.number(),
});
/** A TTL in a response, on request. */
const ttlInfo = v.object("TtlInfo", {
  strategy: v.enumOf(["delete", "keep_latest"]),
  ttl_minutes: v.nullable(v.number()),
  expires_at: v.nullable(v.datetime()),
});

/** API `2B.Thread`. */
const interfaceThread = {
  thread_id: v.required(v.uuid()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
  metadata: v.required(v.anyObject()),
  status: v.required(v.enumOf(statuses)),
  config: v.anyObject(),
  values: v.anyObject(),
};
/** Live servers return more fields. */
export const fullThread = {
  ...interfaceThread,
  state_updated_at: v.datetime(),
  interrupts: v.anyObject(),
  error: v.nullable(v.anyObject()),
  ttl: ttlInfo,
};
export const thread = ({ interfaceOnly }: Mode) => v.object("Thread", interfaceOnly ? interfaceThread : fullThread);
/** A thread in search results; `select` may omit any of its fields. */
export const threadSearchResult = ({ interfaceOnly }: Mode) =>
  interfaceOnly
    ? v.object("Thread", interfaceThread)
    : v.object("ThreadSearchResult", { ...optional(fullThread), extracted: v.anyObject() });

/** Returns the fields of an object that may lack any of them. */
export function optional(fields: v.Fields): v.Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, { required: _, ...field }]) => [name, field]));
}

export const checkpointRef = v.object("Checkpoint", {
  thread_id: v.string(),
  checkpoint_ns: v.string(),
  checkpoint_id: v.string(),
  checkpoint_map: v.nullable(v.anyObject()),
});

/** API `2B.Thread state`. */
const interfaceState = {
  values: v.required(v.anyObject()),
  next: v.required(v.list(v.string())),
  tasks: v.required(v.list(v.anyObject())),
  metadata: v.required(v.nullable(v.anyObject())),
  created_at: v.required(v.nullable(v.datetime())),
  checkpoint: v.required(v.nullable(checkpointRef)),
  parent_checkpoint: v.required(v.nullable(checkpointRef)),
  checkpoint_id: v.required(v.nullable(v.string())),
  parent_checkpoint_id: v.required(v.nullable(v.string())),
};
export const threadState = ({ interfaceOnly }: Mode) =>
  v.object("ThreadState", interfaceOnly ? interfaceState : { ...interfaceState, interrupts: v.list(v.anyObject()) });

const superstep = v.object("Superstep", {
  updates: v.required(
    v.list(
      v.object("StateUpdate", {
        values: v.nullable(v.anyObject()),
        command: v.nullable(v.anyObject()),
        as_node: v.required(v.string()),
      }),
    ),
  ),
});

const interfaceCreateBody = {
  metadata: v.withDefault(v.anyObject(), {}),
  supersteps: v.withDefault(v.list(superstep), []),
};
const createFields = {
  ...interfaceCreateBody,
  thread_id: v.uuid(),
  if_exists: v.withDefault(v.enumOf(["raise", "do_nothing"]), "raise"),
  ttl,
};
/** The server in JavaScript accepts any TTL, and ignores it. */
export const createBody = ({ interfaceOnly, agentServer }: RouteSettings) =>
  v.object(
    "ThreadCreate",
    interfaceOnly ? interfaceCreateBody : { ...createFields, ttl: agentServer === "python" ? ttl : v.any() },
  );
export type CreateBody = Partial<v.Infer<ReturnType<typeof fullCreateBody>>> &
  Pick<v.Infer<ReturnType<typeof fullCreateBody>>, "metadata" | "supersteps">;
const fullCreateBody = () => v.object("ThreadCreate", createFields);

const fullPatchBody = v.object("ThreadPatch", { metadata: v.anyObject(), ttl });
/** The server in JavaScript requires metadata. */
export const patchBody = ({ agentServer }: RouteSettings) =>
  agentServer === "python"
    ? fullPatchBody
    : v.object("ThreadPatch", { metadata: v.required(v.anyObject()), ttl: v.any() });
export type PatchBody = v.Infer<typeof fullPatchBody>;

/** What a thread is returned with: `ttl`. */
export const includeQuery = { include: v.string() };

/** Accepted without effect: clients send it with every request, and the states of subgraphs are read by namespace. */
export const stateQuery = { subgraphs: v.boolean() };

export const pruneBody = v.object("ThreadsPrune", {
  thread_ids: v.required(v.list(v.uuid())),
  strategy: v.withDefault(v.enumOf(["delete", "keep_latest"]), "delete"),
});
export type PruneBody = v.Infer<typeof pruneBody>;
export const pruned = v.object("PrunedThreads", { pruned_count: v.required(v.integer()) });

const countFields = { status: v.enumOf(statuses), metadata: v.anyObject(), values: v.anyObject() };
export const countBody = v.object("ThreadCount", countFields);

const interfaceSearch = {
  status: v.enumOf(statuses),
  metadata: v.anyObject(),
  limit: limit(defaultLimit),
  sort_by: v.enumOf(["thread_id", "status", "created_at", "updated_at"]),
  sort_order: v.enumOf(["asc", "desc"]),
};
/** The fields that `select` may name. */
const selectable = Object.keys(fullThread).filter((name) => !["ttl", "error"].includes(name));
/** Paths of values, such as `values.messages[-1].content`, by the name that they have in `extracted`. */
const extract = v.map(v.string({ minLength: 1 }));
const searchFields = {
  ...interfaceSearch,
  ...countFields,
  sort_by: v.enumOf(["thread_id", "status", "created_at", "updated_at", "state_updated_at"]),
  ids: v.list(v.uuid()),
  offset,
  select: v.list(v.enumOf(selectable)),
};
const fullSearchBody = v.object("ThreadSearch", { ...searchFields, extract });
const javascriptSearchBody = v.object("ThreadSearch", {
  ...searchFields,
  sort_by: interfaceSearch.sort_by,
  /** Unknown names are ignored. */
  select: v.list(v.string()),
});
export const searchBody = ({ interfaceOnly, agentServer }: Mode) => {
  if (interfaceOnly) return v.object("ThreadSearch", interfaceSearch);
  return agentServer === "python" ? fullSearchBody : javascriptSearchBody;
};
/** The filters of a search; a count has a subset of them. */
export type SearchBody = Partial<v.Infer<typeof fullSearchBody>>;

export const stateBody = v.object("StateUpdateRequest", {
  /** An object, or several that are applied in order. */
  values: v.any(),
  as_node: v.string(),
  checkpoint: v.nullable(checkpointRef),
  checkpoint_id: v.nullable(v.string()),
});
export type StateBody = v.Infer<typeof stateBody>;

/** What agent SDKs send to read the state at a checkpoint object. */
export const checkpointBody = v.object("ThreadStateAtCheckpoint", {
  checkpoint: v.required(checkpointRef),
  /** Accepted without effect: the states of subgraphs are read by their namespace. */
  subgraphs: v.nullable(v.boolean()),
});
export type CheckpointBody = v.Infer<typeof checkpointBody>;

export const updatedState = v.object("UpdatedState", { checkpoint: v.required(checkpointRef) });

const { defaultLimit: defaultHistory } = limits.history;
const interfaceHistory = { limit: limit(defaultHistory) };
const pythonHistory = v.object("ThreadHistory", {
  limit: limit(traits.python.historyLimit),
  /** A configuration that names a checkpoint. */
  before: v.anyObject(),
  metadata: v.anyObject(),
  /** Its namespace selects a subgraph. */
  checkpoint: v.nullable(checkpointRef),
});
const javascriptHistory = v.object("ThreadHistory", {
  limit: v.withDefault(v.integer(), traits.javascript.historyLimit),
  /** The ID of a checkpoint. */
  before: v.string(),
  metadata: v.anyObject(),
  checkpoint: v.nullable(checkpointRef),
});
export const historyBody = ({ interfaceOnly, agentServer }: Mode) => {
  if (interfaceOnly) return v.object("ThreadHistory", interfaceHistory);
  return agentServer === "python" ? pythonHistory : javascriptHistory;
};
/** Of a history that is read by GET, with any limit; `before` is the ID of a checkpoint. */
export const historyQuery = ({ agentServer }: Mode) => ({
  limit: v.withDefault(v.integer(), traits[agentServer].historyLimit),
  before: v.string(),
});
export type HistoryBody = {
  limit: number;
  before?: unknown;
  metadata?: Record<string, unknown>;
  checkpoint?: { checkpoint_ns?: string; checkpoint_id?: string } | null;
};

export const ok = v.object("Ok", { ok: v.required(v.boolean()) });
export const info = v.object("Info", {
  version: v.required(v.string()),
  context: v.string(),
  flags: v.required(v.anyObject()),
});
