/** Validation rules of a Cron. What the platform does not describe is a warning, unless the cron would certainly not work. */
import { errorRule, knownValueRule, type Rule, textRejection, textWarning, warningRule } from "../../definition/rules";
import { isLoopback } from "../../http/loopback";
import { metadataRule } from "../../objects/metadata/metadata";
import { nulWarnings, REMOVED, REMOVED_KEYS, settingsRules } from "../../objects/metadata/server-keys";
import { isPropertyMap } from "../../schema/schema";
import { CRON, type Inputs } from "./fields";
import { isFilled } from "./mapping";
import { checkSchedule, timeZoneError, timeZoneWarning } from "./schedule";

export const rules: Rule<Inputs>[] = [
  errorRule(["schedule"], ({ schedule }) => checkSchedule(schedule).error),
  textWarning("schedule", (schedule) => checkSchedule(schedule).warning),
  errorRule(["timezone"], ({ timezone }) => (timezone === undefined ? undefined : timeZoneError(timezone))),
  textWarning("timezone", timeZoneWarning),
  errorRule(["context", "config"], ({ context, config }) =>
    isFilled(context) && isFilled(config?.configurable)
      ? "cannot be combined with config.configurable: the server would accept the cron and never start a run. Move config.configurable into context."
      : undefined,
  ),
  errorRule(["onRunCompleted", "threadId"], ({ onRunCompleted, threadId }) =>
    onRunCompleted !== undefined && threadId !== undefined
      ? "cannot be combined with threadId: the server ignores it and keeps the thread."
      : undefined,
  ),
  errorRule(["input"], ({ input }) =>
    input === undefined || isPropertyMap(input) || (Array.isArray(input) && input.every(isPropertyMap))
      ? undefined
      : "must be an object, or an array of objects.",
  ),
  ...settingsRules<Inputs>((key, path) =>
    key === "cron_id" && path !== "context"
      ? "is the ID of the cron itself, which the server sets; use another key."
      : undefined,
  ),
  ...nulWarnings<Inputs>("input", "context", "config", "webhook", "metadata"),
  metadataRule(CRON.keys, (key) => (REMOVED_KEYS.has(key) ? REMOVED : undefined)),
  warningRule(["input"], ({ input }) =>
    input === undefined ? "is missing; the runs of many graphs fail without it." : undefined,
  ),
  textWarning(
    "endTime",
    () =>
      "is mishandled by published development servers: there the cron never fires, and it stops all crons that were created after it. Test it on your server.",
  ),
  textRejection("webhook", (text) => {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol))
      return `has the scheme ${url.protocol}, which known servers reject; use https.`;
    return isLoopback(url) ? "is an address of one machine, which known servers reject; use a public host." : undefined;
  }),
  knownValueRule("multitaskStrategy", "CronMultitaskStrategy"),
  knownValueRule("onRunCompleted", "CronOnRunCompleted"),
  knownValueRule("durability", "CronDurability"),
];
