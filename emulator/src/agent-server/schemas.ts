import { limits } from "../limits";
import type { Settings } from "../options";
import {
  any,
  boolean,
  byDefault,
  datetime,
  free,
  type Infer,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  required,
  string,
  uuid,
} from "../validation/schema";

type Mode = Pick<Settings, "interfaceOnly">;

const statuses = ["idle", "busy", "interrupted", "error"] as const;
const { minLimit, maxLimit, defaultLimit } = limits.threads;
const limit = (byAbsence: number) => byDefault(integer({ minimum: minLimit, maximum: maxLimit }), byAbsence);
const offset = byDefault(integer({ minimum: 0 }), 0);

/** interface.md section 2 B. */
export const thread = object("Thread", {
  thread_id: required(uuid()),
  created_at: required(datetime()),
  updated_at: required(datetime()),
  metadata: required(free()),
  status: required(oneOf(statuses)),
  config: free(),
  values: free(),
});

export const checkpointRef = object("Checkpoint", {
  thread_id: string(),
  checkpoint_ns: string(),
  checkpoint_id: string(),
  checkpoint_map: nullable(free()),
});

/** interface.md section 2 B. */
export const threadState = object("ThreadState", {
  values: required(free()),
  next: required(list(string())),
  tasks: required(list(free())),
  metadata: required(nullable(free())),
  created_at: required(nullable(datetime())),
  checkpoint: required(nullable(checkpointRef)),
  parent_checkpoint: required(nullable(checkpointRef)),
  checkpoint_id: required(nullable(string())),
  parent_checkpoint_id: required(nullable(string())),
});

const superstep = object("Superstep", {
  updates: required(
    list(
      object("StateUpdate", {
        values: nullable(free()),
        command: nullable(free()),
        as_node: required(string()),
      }),
    ),
  ),
});

const ttl = object("Ttl", {
  strategy: byDefault(oneOf(["delete", "keep_latest"]), "delete"),
  /** Minutes. */
  ttl: required(number({ minimum: 0 })),
});

const plainCreateBody = { metadata: byDefault(free(), {}), supersteps: byDefault(list(superstep), []) };
const createFields = {
  ...plainCreateBody,
  thread_id: uuid(),
  if_exists: byDefault(oneOf(["raise", "do_nothing"]), "raise"),
  ttl: nullable(ttl),
};
export const createBody = ({ interfaceOnly }: Mode) =>
  object("ThreadCreate", interfaceOnly ? plainCreateBody : createFields);
export type CreateBody = Partial<Infer<ReturnType<typeof fullCreateBody>>> &
  Pick<Infer<ReturnType<typeof fullCreateBody>>, "metadata" | "supersteps">;
const fullCreateBody = () => object("ThreadCreate", createFields);

export const patchBody = object("ThreadPatch", { metadata: free(), ttl: nullable(ttl) });
export type PatchBody = Infer<typeof patchBody>;

const countFields = { status: oneOf(statuses), metadata: free(), values: free() };
export const countBody = object("ThreadCount", countFields);

const plainSearch = {
  status: oneOf(statuses),
  metadata: free(),
  limit: limit(defaultLimit),
  sort_by: oneOf(["thread_id", "status", "created_at", "updated_at"]),
  sort_order: oneOf(["asc", "desc"]),
};
/** What `select` may name: all that a thread is answered with. */
const selectable = [
  ...["thread_id", "created_at", "updated_at", "state_updated_at", "metadata", "config", "status"],
  ...["values", "interrupts", "error", "ttl"],
] as const;
const searchFields = {
  ...plainSearch,
  ...countFields,
  sort_by: oneOf(["thread_id", "status", "created_at", "updated_at", "state_updated_at"]),
  ids: list(uuid()),
  offset,
  select: list(oneOf(selectable)),
};
const fullSearchBody = object("ThreadSearch", searchFields);
export const searchBody = ({ interfaceOnly }: Mode) =>
  interfaceOnly ? object("ThreadSearch", plainSearch) : fullSearchBody;
/** What a search asks for; a count asks for some of it. */
export type SearchBody = Partial<Infer<typeof fullSearchBody>>;

export const stateBody = object("StateUpdateRequest", {
  values: nullable(free()),
  as_node: string(),
  checkpoint: nullable(checkpointRef),
  checkpoint_id: nullable(string()),
});
export type StateBody = Infer<typeof stateBody>;

export const updatedState = object("UpdatedState", { checkpoint: required(checkpointRef) });

const { defaultLimit: defaultHistory } = limits.history;
const plainHistory = { limit: limit(defaultHistory) };
const fullHistoryBody = object("ThreadHistory", {
  ...plainHistory,
  /** The id of a checkpoint, or an object with it. */
  before: any(),
  metadata: free(),
});
export const historyBody = ({ interfaceOnly }: Mode) =>
  interfaceOnly ? object("ThreadHistory", plainHistory) : fullHistoryBody;
export type HistoryBody = Infer<typeof fullHistoryBody>;

export const assistant = object("Assistant", {
  assistant_id: required(uuid()),
  graph_id: required(string()),
  name: required(string()),
  description: nullable(string()),
  config: required(free()),
  context: required(free()),
  metadata: required(free()),
  version: required(integer()),
  created_at: required(datetime()),
  updated_at: required(datetime()),
});
export const assistantSearch = object("AssistantSearch", {
  graph_id: string(),
  metadata: free(),
  limit: limit(defaultLimit),
  offset,
});

export const ok = object("Ok", { ok: required(boolean()) });
export const info = object("Info", { version: required(string()), flags: required(free()) });
