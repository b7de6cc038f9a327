import { BlockList, isIP } from "node:net";
import type { ApiRequest } from "../../http/route";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import { checkConfig } from "../assistants/assistants";
import { isTimeZone } from "./schedule";
import type { PatchBody } from "./schemas";

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
const strategies = ["reject", "interrupt", "rollback", "enqueue"];

/** Checks the fields that the schema language cannot describe. @throws ApiError 400, 422 */
export function checkCronBody(
  request: ApiRequest,
  body: Omit<PatchBody, "on_run_completed">,
  isCreateOnThread: boolean,
): void {
  const {
    timezone,
    input,
    webhook,
    multitask_strategy: strategy,
    stream_mode,
    interrupt_before,
    interrupt_after,
  } = body;
  const check = (field: string, valid: boolean, message: string) => {
    if (!valid) request.addIssue([field], message);
  };
  checkConfig(request, body);
  if (timezone !== undefined) checkTimeZone(request, timezone);
  check(
    "input",
    input === undefined || isObject(input) || isListOf(input, isObject),
    "expected an object or a list of objects",
  );
  check("webhook", webhook === undefined || isPublicUrl(webhook), "expected an http or https URL of a public host");
  // The server looks at the strategy only when it creates a cron on a thread.
  const validStrategy =
    strategy === undefined || strategy === null || !isCreateOnThread || strategies.includes(strategy);
  check("multitask_strategy", validStrategy, `expected one of ${strategies.join(", ")}`);
  check("stream_mode", isListOf([stream_mode ?? []].flat(), isStreamMode), `expected ${streamModes.join(", ")}`);
  check("interrupt_before", isInterrupt(interrupt_before), "expected * or a list of strings");
  check("interrupt_after", isInterrupt(interrupt_after), "expected * or a list of strings");
  request.throwIfIssues();
}

function checkTimeZone(request: ApiRequest, timezone: string): void {
  if (timezone === "" || timezone.startsWith("/") || timezone.includes(".."))
    throw new ApiError(400, `Invalid timezone '${timezone}'`);
  if (!isTimeZone(timezone)) request.addIssue(["timezone"], `unknown time zone '${timezone}'`);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isStreamMode(value: unknown): boolean {
  return streamModes.some((mode) => mode === value);
}

function isInterrupt(value: unknown): boolean {
  return value === undefined || value === "*" || isListOf(value, (item) => typeof item === "string");
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
