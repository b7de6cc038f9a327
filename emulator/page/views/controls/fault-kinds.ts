/** The faults that the form offers. The admin API accepts more, as its documentation lists. */

import type { Fault } from "../../data/types";

export interface FaultField {
  name: string;
  title: string;
  /** The value at first. Default: none, which the placeholder explains. */
  initial?: string;
  placeholder?: string;
  type?: "number";
  /** Whether its values are sentences. */
  wide?: boolean;
  /** The only values. */
  options?: readonly string[];
}

export interface FaultKind {
  title: string;
  /** What happens then, in a sentence. */
  effect: string;
  fields: FaultField[];
  /** Returns the body of `POST /_emulator/faults`. */
  toBody(values: Record<string, string>): Record<string, unknown>;
}

const deployment: FaultField = { name: "deployment", title: "Deployment name", placeholder: "any" };
const path: FaultField = { name: "path", title: "Path", placeholder: "any, such as /v2/**" };
const method: FaultField = { name: "method", title: "Method", placeholder: "any" };
const times: FaultField = { name: "times", title: "How many times", initial: "1", type: "number" };
const FAILURES = ["DEPLOY_FAILED", "BUILD_FAILED", "CREATE_FAILED", "SKIPPED", "INTERRUPTED"];
const PHASES = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];

/** Omits empty values, so that the defaults of the emulator apply. */
function filled(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""));
}

const count = ({ times: text }: Record<string, string>) => (text ? Number(text) : undefined);

export const FAULT_KINDS: Record<string, FaultKind> = {
  rollout: {
    title: "The next rollout fails",
    effect: "The revision ends with this status and this line in its log; the previous one stays live.",
    fields: [
      deployment,
      { name: "ends", title: "Status", initial: "DEPLOY_FAILED", options: FAILURES },
      { name: "reason", title: "Reason in the log", initial: "The health check failed", wide: true },
      times,
    ],
    toBody: (values) => ({
      ...filled({ times: count(values) }),
      revision: {
        ...filled({ deployment: values.deployment }),
        ends: values.ends,
        ...(values.reason && { logs: [values.reason] }),
      },
    }),
  },
  hold: {
    title: "Rollouts stop in a status",
    effect: "Revisions that reach the status stay in it until you remove the fault.",
    fields: [deployment, { name: "status", title: "Status", initial: "DEPLOYING", options: PHASES }],
    toBody: (values) => ({
      hold: { ...filled({ deployment: values.deployment }), status: values.status },
    }),
  },
  status: {
    title: "A request gets an error",
    effect: "The next matching requests are not executed and get this status.",
    fields: [method, path, { name: "status", title: "Status", initial: "503", type: "number" }, times],
    toBody: (values) =>
      filled({ method: values.method, path: values.path, status: Number(values.status), times: count(values) }),
  },
  connection: {
    title: "A response is lost",
    effect: "The next matching requests are executed, and the connection is then reset without a response.",
    fields: [method, path, times],
    toBody: (values) =>
      filled({ method: values.method, path: values.path, connection: "reset-after", times: count(values) }),
  },
  delay: {
    title: "A request is slow",
    effect: "The next matching requests wait this long in real time.",
    fields: [method, path, { name: "delay", title: "Milliseconds", initial: "5000", type: "number" }, times],
    toBody: (values) =>
      filled({
        method: values.method,
        path: values.path,
        delay_ms: Number(values.delay),
        times: count(values),
      }),
  },
  export: {
    title: "An export run fails",
    effect: "The next attempt of a run fails with this error, and is repeated later.",
    fields: [
      { name: "export", title: "Export ID", placeholder: "any" },
      { name: "error", title: "Error", initial: "The bucket is not accessible", wide: true },
      times,
    ],
    toBody: (values) => ({
      ...filled({ times: count(values) }),
      export_run: { ...filled({ export: values.export }), error: values.error },
    }),
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
