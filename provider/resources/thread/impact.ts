/** What a preview says of changes. */
import type { Outlook } from "../../definition/definition";
import { isWithin } from "../../schema/schema";
import type { Inputs, State } from "./fields";

/** The optional route that changes threads (interface-notes section 4). */
export const CHANGES = "threads-patch";
/** What it changes. */
export const CHANGEABLE = ["metadata", "ttl"] as const;

export const LOSES = "its history";

/** One line for the resource's row. */
export function explain(
  changes: readonly string[],
  replaces: readonly string[],
  { inputs }: Pick<Outlook<Inputs, State>, "inputs">,
): string {
  if (replaces.length > 0)
    return `REPLACED, ${LOSES} is lost: ${replaces.map((path) => cause(path, inputs)).join(", ")}`;
  const ours = changes.filter((path) => path === "sensitive");
  const theirs = changes.filter((path) => path !== "sensitive");
  return [
    ...(theirs.length > 0 ? [`in place: ${theirs.join(", ")}`] : []),
    ...(ours.length > 0 ? [`changes nothing on the server: ${ours.join(", ")}`] : []),
  ].join("; ");
}

function cause(path: string, { deploymentId, copyFrom }: Partial<Inputs>): string {
  if (path === "deploymentId" && deploymentId === undefined) return "its deployment is replaced";
  if (path === "copyFrom" && copyFrom === undefined) return "the thread it copies is replaced";
  return CHANGEABLE.some((pattern) => isWithin(path, pattern)) ? `${path} (this server cannot change it)` : path;
}
