import type { ApiRequest } from "../../http/route";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import { checkConfig } from "../assistants/assistants";
import { checkStream, checkWebhook, isListOf } from "../runs/request-checks";
import { isTimeZone } from "./schedule";
import type { PatchBody } from "./schemas";

const strategies = ["reject", "interrupt", "rollback", "enqueue"];

/** Checks the fields that the schema language cannot describe. @throws ApiError 400, 422 */
export function checkCronBody(
  request: ApiRequest,
  body: Omit<PatchBody, "on_run_completed">,
  isCreateOnThread: boolean,
): void {
  const { timezone, input, webhook, multitask_strategy: strategy } = body;
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
  if (webhook !== undefined) checkWebhook(request, webhook);
  // The server looks at the strategy only when it creates a cron on a thread.
  const validStrategy =
    strategy === undefined || strategy === null || !isCreateOnThread || strategies.includes(strategy);
  check("multitask_strategy", validStrategy, `expected one of ${strategies.join(", ")}`);
  checkStream(request, body);
  request.throwIfIssues();
}

function checkTimeZone(request: ApiRequest, timezone: string): void {
  if (timezone === "" || timezone.startsWith("/") || timezone.includes(".."))
    throw new ApiError(400, `Invalid timezone '${timezone}'`);
  if (!isTimeZone(timezone)) request.addIssue(["timezone"], `unknown time zone '${timezone}'`);
}
