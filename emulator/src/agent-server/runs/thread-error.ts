/** The error that a thread shows: how its last run failed, or who cancelled it. */

export type CancelAction = "interrupt" | "rollback";

/** The type of an error of a graph. */
export const GRAPH_ERROR = "GraphError";
const CANCELLATION = /^(interrupt|rollback) requested via /;
const TYPES = { interrupt: "UserInterrupt", rollback: "UserRollback" } as const;

/** Returns the error of a thread whose run a request has cancelled, as it is stored. */
export const cancellationText = (action: CancelAction, path: string) => `${action} requested via POST ${path}`;

/** Returns the error of a thread as responses show it, from its stored text. */
export function threadError(message: string | null): { error: string; message: string } | null {
  if (message === null) return null;
  const action = CANCELLATION.exec(message)?.[1];
  return { error: action === "interrupt" || action === "rollback" ? TYPES[action] : GRAPH_ERROR, message };
}
