/** The error that a thread shows: how its last run failed, or who cancelled it. */

export type CancelAction = "interrupt" | "rollback";

/** The type of an error of a graph. */
const GRAPH_ERROR = "GraphError";
const CANCELLATION = /^(interrupt|rollback) requested via /;
const TYPES = { interrupt: "UserInterrupt", rollback: "UserRollback" } as const;

/** Returns the error of a thread whose run a request has cancelled, as it is stored. */
export const cancellationText = (action: CancelAction, path: string) => `${action} requested via POST ${path}`;

/** Returns the type of the error of a run, by its text: those of the library of graphs have their own. */
export function errorType(message: string): string {
  if (message.startsWith("Recursion limit of ")) return "GraphRecursionError";
  return message.startsWith("Received no input") ? "EmptyInputError" : GRAPH_ERROR;
}

/** Returns whether the error of a thread says that its run was cancelled. */
export const isCancellation = (message: string): boolean => CANCELLATION.test(message);

/** Returns the error of a thread as responses show it, from its stored text. */
export function threadError(message: string | null): { error: string; message: string } | null {
  if (message === null) return null;
  const action = CANCELLATION.exec(message)?.[1];
  const isKnown = action === "interrupt" || action === "rollback";
  return { error: isKnown ? TYPES[action] : errorType(message), message };
}
