/** What a step of the engine is about. */
import { kindOfToken } from "../../../provider/definition/type-token";
import { definitions } from "../../../provider/definitions";
import type { Step } from "./preview-json";

/** Operations, the most dangerous first; `other` changes nothing on the server, such as a refresh. */
export const OPS = ["replace", "delete", "update", "create", "import", "other"] as const;
export type Op = (typeof OPS)[number];

export const isAgentgraph = ({ type }: Pick<Step, "type">) => kindOfToken(type) !== undefined;
export const definitionOf = ({ type }: Step) => definitions.find(({ kind }) => kind === kindOfToken(type));
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read", "discard", "remove-pending-replace"]);
export const isUnchanged = ({ op }: Step) => UNCHANGED.has(op);

/** Returns the operation of a step. The engine reports the option `import` of a dynamic resource as a create. */
export function opOf({ op, after }: Step): Op {
  if (op === "create" && after?.inputs.__import !== undefined) return "import";
  return OPS.find((known) => known === op) ?? "other";
}
