import { BlockList, isIP } from "node:net";
import type { ApiRequest } from "../../http/route";
import type { Context } from "../../runtime/context";
import { parseUuid } from "../../runtime/validation/uuid";
import { isObject } from "../../runtime/validation/validator";
import { checkConfig } from "../assistants/assistants";
import { isCalled } from "./execution/webhooks";
import type { RunBody } from "./schemas";

const streamModes = [
  "values",
  "messages",
  "messages-tuple",
  "updates",
  "events",
  "tasks",
  "checkpoints",
  "debug",
  "custom",
];
const durabilities = ["sync", "async", "exit"];

/** Checks the fields of a run that the schema language cannot describe. @throws ApiError 422 */
export function checkRunBody({ settings }: Context, request: ApiRequest, body: RunBody): void {
  const { config, webhook, durability, command, checkpoint_id } = body;
  const { goto, update }: Record<string, unknown> = command ?? {};
  const isPython = settings.agentServer === "python";
  checkConfig(request, config ? { config } : {});
  checkStream(request, body, isPython ? streamModes : [...streamModes, "tools"]);
  const targets = [goto ?? []].flat();
  const hasInputs = !isPython || targets.every((target) => isText(target) || (isObject(target) && "input" in target));
  if (!hasInputs || (!isListOf(targets, isText) && !isListOf(targets, isSend)))
    request.addIssue(["command", "goto"], "expected names of nodes, or nodes with their input");
  if (update != null && !isObject(update) && !isListOf(update, isPair))
    request.addIssue(["command", "update"], "expected an object, or a list of pairs of a name and a value");
  // The server in JavaScript ignores the one, and accepts any text as the other.
  if (isPython && durability !== undefined && !durabilities.some((one) => one === durability))
    request.addIssue(["durability"], `expected one of ${durabilities.join(", ")}`);
  if (isPython && webhook !== undefined) checkWebhook(request, webhook);
  if (isPython && checkpoint_id != null && !("uuid" in parseUuid(checkpoint_id)))
    request.addIssue(["checkpoint_id"], "expected a UUID");
  request.throwIfIssues();
  noteIgnored(request, body);
}

/** Says in the request log what has no effect here, although a client may expect it. */
function noteIgnored({ addNote }: ApiRequest, body: RunBody): void {
  const { feedback_keys = [], langsmith_tracer, webhook } = body;
  if (feedback_keys.length > 0) addNote("feedback_keys have no effect: nothing is scored");
  if (langsmith_tracer) addNote("langsmith_tracer has no effect: traces are in the project of the deployment");
  if (webhook !== undefined && !isCalled(webhook))
    addNote(
      "webhook is not called: only those on this machine are, without credentials and with --agent-server javascript",
    );
}

/** Checks what a run or a cron says about its stream and about where it stops. */
export function checkStream(
  request: ApiRequest,
  body: { stream_mode?: unknown; interrupt_before?: unknown; interrupt_after?: unknown },
  modes: readonly string[] = streamModes,
): void {
  const isMode = (value: unknown) => modes.some((mode) => mode === value);
  if (!isListOf([body.stream_mode ?? []].flat(), isMode))
    request.addIssue(["stream_mode"], `expected ${modes.join(", ")}`);
  for (const field of ["interrupt_before", "interrupt_after"] as const)
    if (!isInterrupt(body[field])) request.addIssue([field], "expected * or a list of strings");
}

export function checkWebhook(request: ApiRequest, webhook: string): void {
  if (!isPublicUrl(webhook)) request.addIssue(["webhook"], "expected an http or https URL of a public host");
}

export function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

const isText = (value: unknown) => typeof value === "string";
const isSend = (value: unknown) => isObject(value) && isText(value.node);
const isPair = (value: unknown) => Array.isArray(value) && value.length === 2 && isText(value[0]);

function isInterrupt(value: unknown): boolean {
  return value === undefined || value === "*" || isListOf(value, isText);
}

/** Addresses that only this machine or network can reach. */
const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  privateAddresses.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateAddresses.addSubnet(network, prefix, "ipv6");

/** Returns whether a host may be public. Its name is not resolved: the emulator needs no network. */
function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  if (version !== 0) return !privateAddresses.check(host, version === 4 ? "ipv4" : "ipv6");
  return host.includes(".") && !/\.(localhost|invalid|local|internal)$/.test(host);
}
