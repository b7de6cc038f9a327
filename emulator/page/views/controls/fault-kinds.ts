/** The faults that the form offers, from the table of all fields. The admin API accepts more: see its documentation. */
import type { FaultField, FaultKind as TableKind } from "../../../src/runtime/fault-fields";
import type { Fault } from "../../data/types";

/** The table: build.mjs replaces this name with it. */
declare const FAULT_FIELDS: Record<TableKind, Readonly<Record<string, FaultField>>>;

interface Input {
  /** The value at first. Default: none, which the placeholder explains. */
  initial?: string;
  placeholder?: string;
  options?: readonly string[];
}

export interface FaultKind {
  title: string;
  /** What happens then, in a sentence. */
  effect: string;
  kind: TableKind;
  inputs: Readonly<Record<string, Input>>;
  /** Fields that the form does not show. */
  fixed?: Readonly<Record<string, string>>;
}

/** Returns the fields of a fault. A hold lasts until it is removed; for others, the form asks how often they happen. */
export function fieldsOf({ kind, inputs }: FaultKind) {
  const shown: Record<string, Input> = { ...inputs, ...(kind !== "hold" && { times: { initial: "1" } }) };
  return Object.entries(shown).map(([name, input]) => {
    const { title = name, schema } = FAULT_FIELDS[kind][name] ?? {};
    return { ...input, name, title, isNumber: schema?.type === "integer" };
  });
}

/** Returns the body of `POST /_emulator/faults`. It omits empty values, so that the emulator's defaults apply. */
export function bodyOf({ kind, fixed }: FaultKind, { times, ...texts }: Record<string, string>): object {
  const values = Object.entries(texts).flatMap(([name, text]) => {
    const { schema, isEffect } = FAULT_FIELDS[kind][name] ?? {};
    if (text === "" && !isEffect) return [];
    return [[name, schema?.type === "integer" ? Number(text) : schema?.type === "list" ? [text] : text]];
  });
  const part = { ...Object.fromEntries(values), ...fixed };
  return { ...(times && { times: Number(times) }), ...(kind === "request" ? part : { [kind]: part }) };
}

const ANY = { placeholder: "any" };
const REQUEST = { method: ANY, path: { placeholder: "any, such as /v2/**" } };
const FAILURES = ["DEPLOY_FAILED", "BUILD_FAILED", "CREATE_FAILED", "SKIPPED", "INTERRUPTED"];
const PHASES = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];

export const FAULT_KINDS: Record<string, FaultKind> = {
  rollout: {
    title: "The next rollout fails",
    effect: "The revision ends with this status and this line in its log; the previous one stays live.",
    kind: "revision",
    inputs: {
      deployment: ANY,
      ends: { initial: "DEPLOY_FAILED", options: FAILURES },
      logs: { initial: "The health check failed" },
    },
  },
  hold: {
    title: "Rollouts stop in a status",
    effect: "Revisions that reach the status stay in it until you remove the fault.",
    kind: "hold",
    inputs: { deployment: ANY, status: { initial: "DEPLOYING", options: PHASES } },
  },
  status: {
    title: "A request gets an error",
    effect: "The next matching requests are not executed and get this status.",
    kind: "request",
    inputs: { ...REQUEST, status: { initial: "503" } },
  },
  connection: {
    title: "A response is lost",
    effect: "The next matching requests are executed, and the connection is then reset without a response.",
    kind: "request",
    inputs: REQUEST,
    fixed: { connection: "reset-after" },
  },
  delay: {
    title: "A request is slow",
    effect: "The next matching requests wait this long in real time.",
    kind: "request",
    inputs: { ...REQUEST, delay_ms: { initial: "5000" } },
  },
  export: {
    title: "An export run fails",
    effect: "The next attempt of a run fails with this error, and is repeated later.",
    kind: "export_run",
    inputs: { export: ANY, error: { initial: "The bucket is not accessible" } },
  },
};

/** Returns what a fault does, in a sentence; one that the form does not offer as JSON. */
export function describeFault({ id: _, times, skip, ...fault }: Fault): string {
  const rest = [skip > 0 && `after ${skip} others`, !("hold" in fault) && times > 1 && `${times} times`];
  return [describeEffect(fault), ...rest].filter(Boolean).join(", ");
}

function describeEffect(fault: Record<string, unknown>): string {
  const { method = "Any request", path, status, connection, delay_ms } = fault;
  const { revision, hold, export_run } = fault as Record<string, Record<string, string> | undefined>;
  if (hold) return `Rollouts of ${hold.deployment ?? "any deployment"} stop in ${hold.status}`;
  if (revision?.ends) return `The next rollout of ${revision.deployment ?? "any deployment"} ends as ${revision.ends}`;
  if (export_run?.error) return `The next run of ${export_run.export ?? "any export"} fails: ${export_run.error}`;
  const request = `${method}${path === undefined ? "" : ` ${path}`}`;
  if (connection !== undefined) return `${request}: connection closed (${connection})`;
  if (status !== undefined) return `${request}: status ${status}`;
  return delay_ms === undefined ? JSON.stringify(fault) : `${request}: ${delay_ms} ms slower`;
}
