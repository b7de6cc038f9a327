import type { Context } from "../../runtime/context";
import type { AgentServer } from "../../runtime/options";

/** What differs between the two published agent servers, as measured on both. */
interface ServerTraits {
  /** Copies `context` into `config.configurable` and back, and rejects both in one request. */
  mirrorsContext: boolean;
  /** Accepts every form of a UUID; otherwise the hyphenated one, which it compares as written. */
  normalizesIds: boolean;
  /** An assistant needs a graph that exists; otherwise it is stored, and its runs fail. */
  checksGraph: boolean;
  /** A run whose context violates the schema of its graph fails. */
  checksContext: boolean;
  /** Removes reserved keys of metadata and of the configuration, and NUL characters. */
  removesReserved: boolean;
  /** Names of graphs stand for their default assistants in every path. */
  resolvesGraphsInPaths: boolean;
  /** A start restores the default assistants, and deletes others that say `created_by: system`. */
  restoresDefaults: boolean;
  /** What becomes of the unfinished runs of a deleted assistant. */
  runsOfDeleted: "interrupted" | "deleted";
  /** Going back to a version restores the description, too. */
  restoresDescription: boolean;
  /** The order of threads that a search does not name. */
  threadOrder: "created_at" | "updated_at";
  /** `sort_by` of a search has an effect. */
  sorts: boolean;
  /** A filter by metadata compares lists as a whole; otherwise the list contains that of the filter. */
  comparesLists: boolean;
  /** Parts of a graph's schemas that are unknown are null; otherwise absent. */
  showsUnknownSchemas: boolean;
  /** A body must be sent where all of its fields are optional. */
  requiresBody: boolean;
  /** States in a history without a `limit`. */
  historyLimit: number;
  /** `before` of a history is an object that names a checkpoint; otherwise its ID. */
  readsBeforeObject: boolean;
  /** A body is JSON whatever its content type says. */
  readsAnyType: boolean;
  /** An update of a thread with `Prefer: return=minimal` returns nothing. */
  hasMinimalResponses: boolean;
  /** Graphs have a drawing also by their name in the path, and the depth of a drawing is checked. */
  drawsByName: boolean;
  /** A slash at the end of a path is redirected to the path without it. */
  redirectsSlash: boolean;
  /** `/threads/prune`, `/threads/{thread_id}/storage`, `/runs/cancel` and `/threads/{thread_id}/stream` exist. */
  hasBatchRoutes: boolean;
  /** Threads show the time and the error of their state. */
  showsStateOfThreads: boolean;
  /** A search whose `select` is empty returns whole objects; otherwise empty ones. */
  ignoresEmptySelect: boolean;
  /** A search of threads filters by `values`. */
  filtersByValues: boolean;
  /** What happens to a request to cancel a run that has ended. */
  cancelOfEnded: 404 | 202;
  /** A command can send an input to a node; otherwise, that has no effect. */
  sendsInputs: boolean;
  /** The status of a rejected run on a busy thread. */
  statusOfBusy: 409 | 422;
  /** What happens to a run on a busy thread that does not say it. */
  multitaskStrategy: "enqueue" | "reject";
  hasCrons: boolean;
  /** `/ok` requires credentials where users have some. */
  protectsHealth: boolean;
  /** Threads have a TTL; otherwise it is accepted and ignored. */
  hasTtl: boolean;
  /** Supersteps that cannot be applied are an error of the graph or the node, as listed in threads.ts. */
  explainsSupersteps: boolean;
  /** A history shows what updates wrote as the results of the tasks that they replace. */
  keepsResults: boolean;
}

export const traits: Readonly<Record<AgentServer, ServerTraits>> = {
  python: {
    mirrorsContext: true,
    normalizesIds: true,
    checksGraph: true,
    checksContext: false,
    removesReserved: true,
    resolvesGraphsInPaths: false,
    restoresDefaults: true,
    runsOfDeleted: "interrupted",
    restoresDescription: true,
    threadOrder: "updated_at",
    sorts: true,
    comparesLists: true,
    showsUnknownSchemas: true,
    requiresBody: true,
    historyLimit: 1,
    readsBeforeObject: true,
    readsAnyType: true,
    hasMinimalResponses: true,
    drawsByName: true,
    redirectsSlash: true,
    hasBatchRoutes: true,
    showsStateOfThreads: true,
    ignoresEmptySelect: true,
    filtersByValues: true,
    cancelOfEnded: 404,
    sendsInputs: true,
    statusOfBusy: 409,
    multitaskStrategy: "enqueue",
    hasCrons: true,
    protectsHealth: false,
    hasTtl: true,
    explainsSupersteps: true,
    keepsResults: true,
  },
  javascript: {
    mirrorsContext: false,
    normalizesIds: false,
    checksGraph: false,
    checksContext: true,
    removesReserved: false,
    resolvesGraphsInPaths: true,
    restoresDefaults: false,
    runsOfDeleted: "deleted",
    restoresDescription: false,
    threadOrder: "created_at",
    sorts: false,
    comparesLists: false,
    showsUnknownSchemas: false,
    requiresBody: false,
    historyLimit: 10,
    readsBeforeObject: false,
    readsAnyType: false,
    hasMinimalResponses: false,
    drawsByName: false,
    redirectsSlash: false,
    hasBatchRoutes: false,
    showsStateOfThreads: false,
    ignoresEmptySelect: false,
    filtersByValues: false,
    cancelOfEnded: 202,
    sendsInputs: false,
    statusOfBusy: 422,
    multitaskStrategy: "reject",
    hasCrons: false,
    protectsHealth: true,
    hasTtl: false,
    explainsSupersteps: false,
    keepsResults: false,
  },
};

export function traitsOf({ settings }: { settings: Pick<Context["settings"], "agentServer"> }): ServerTraits {
  return traits[settings.agentServer];
}

/** Returns whether the agent server has crons, which an option can disable. */
export function hasCrons(context: Pick<Context, "settings">): boolean {
  return traitsOf(context).hasCrons && !context.settings.without.includes("crons-create");
}

/**
 * Formats a time: microseconds and an offset in Python, without a fraction at a full second, milliseconds and `Z` in
 * JavaScript.
 */
export function formatTime({ settings }: Pick<Context, "settings">, iso: string): string {
  // Without routes and formats of published servers, times are as those of the control plane.
  if (settings.agentServer === "javascript" || settings.interfaceOnly) return iso;
  return iso.endsWith(".000Z") ? iso.replace(".000Z", "+00:00") : iso.replace("Z", "000+00:00");
}
