/** Which schedules, time zones and other inputs a Cron accepts, and which it warns of or rejects. */
import { checkSchedule, timeZoneError, timeZoneWarning } from "../../../../provider/resources/cron/schedule";
import { normalizeSchedule } from "../../../../provider/schema/schedule";
import { startCrons } from "../../../support/agents/crons";

const threadId = "12345678-1234-4234-8234-123456789abc";

it.each<[string, object, string]>([
  ["a schedule with seconds", { schedule: "0 0 3 * * *" }, "schedule has 6 fields"],
  ["a date that never comes", { schedule: "0 0 31 2 *" }, "schedule never comes"],
  ["a time zone in another case", { timezone: "europe/berlin" }, 'timezone must be written "Europe/Berlin".'],
  ["an end without a time zone", { endTime: "2999-01-01T00:00:00" }, "endTime is not a valid timestamp"],
  ["onRunCompleted on a thread", { threadId, onRunCompleted: "keep" }, "cannot be combined with threadId"],
  ["a context and a configurable part", { context: { a: 1 }, config: { configurable: { b: 1 } } }, "never start a run"],
  ["an input that is not an object", { input: "hello" }, "input must be an object, or an array of objects."],
  ["an input with a text", { input: [{}, "x"] }, "input must be an object, or an array of objects."],
  ["the marker in metadata", { metadata: { pulumi_cron: "x" } }, "reserved for the ownership marker"],
  ["a key of the server in metadata", { metadata: { cron_id: "x" } }, "metadata.cron_id is a key of the server itself"],
  ["one in the metadata of runs", { config: { metadata: { run_id: "x" } } }, "config.metadata.run_id is a key of the"],
  ["one in the context", { context: { agentgraph_request_id: "x" } }, "context.agentgraph_request_id is a key of the"],
  [
    "one in config.configurable",
    { config: { configurable: { __after_seconds__: 1 } } },
    "config.configurable.__after_seconds__ is a key of the server itself",
  ],
  ["another ID of it in its runs", { config: { configurable: { cron_id: "x" } } }, "is the ID of the cron itself"],
  [
    "the API's spelling of a field",
    { config: { recursion_limit: 5 } },
    "config.recursion_limit is the name of this field in the API",
  ],
  ["an unknown field", { cron: "* * * * *" }, "did you mean schedule?"],
  ["no server", { deploymentId: undefined }, "deploymentId is missing"],
])("Cron: %s is rejected", async (_what, change, reason) => {
  const { agents, crons } = await startCrons();
  await expect(crons.stack().check(crons.inputs(change as never))).rejects.toThrow(reason);
  expect(agents.agentRequests()).toEqual([]);
});

it.each<[string, object, string]>([
  ["names in the schedule", { schedule: "0 3 * * MON" }, 'schedule: contains "MON", which a server may reject'],
  ["an alias", { schedule: "@daily" }, 'schedule: "@daily" is an alias, which a server may reject; use "0 0 * * *".'],
  ["an end", { endTime: "2999-01-01T00:00:00Z" }, "endTime: is mishandled by published development servers"],
  ["an end that has passed", { endTime: "2001-01-01T00:00:00Z" }, "endTime: has passed, so the cron never fires."],
  ["no input", { input: undefined }, "input: is missing; the runs of many graphs fail without it."],
  ["a webhook on this machine", { webhook: "http://localhost:1/" }, "webhook: is an address of one machine"],
  ["a webhook of another scheme", { webhook: "ftp://a.example.com/" }, "webhook: has the scheme ftp:"],
  ["an unknown strategy", { multitaskStrategy: "queue" }, 'multitaskStrategy: "queue" is not known'],
  ["an unknown durability", { durability: "synk" }, 'did you mean "sync"?'],
])("Cron: %s is a warning", async (_what, change, warning) => {
  const { agents, crons } = await startCrons();
  const stack = crons.stack();
  await stack.check(crons.inputs(change as never));
  expect(stack.messages.join("\n")).toContain(`warn: ${warning.startsWith("did") ? "" : warning}`);
  expect(stack.messages.join("\n")).toContain(warning);
  expect(agents.agentRequests()).toEqual([]);
});

// @covers 2B.Cron.schedule:form
it.each([
  ...["* * * * *", "*/5 * * * *", "0 9 * * 1-5", "1-5/2,8 0 * * *", " 0 0 * * * ", "0\t0 * * *", "00 03 * * *"],
  ...["0 0 29 2 *", "0 0 31 */2 *", "0 0 31 2 1", "0 0 30 1,2 *", "59 23 31 12 6"],
])("the schedule %j is one of five standard fields", (schedule) => {
  expect(checkSchedule(schedule)).toEqual({});
});

// @covers 2B.Cron.schedule:more
it.each([
  ...["0 0 * * 7", "0 0 * * MON-FRI", "0 0 1 jan *", "0 0 L * *", "0 0 15W * *", "0 0 * * 5#2", "0 0 * * 5L"],
  ...["0 0 ? * 1", "0 22-6 * * *", "5/15 * * * *", "@daily", "@hourly", "@weekly", "0 0 31 2 MON"],
])("the schedule %j is a warning, because only some servers accept it", (schedule) => {
  expect(checkSchedule(schedule)).toEqual({ warning: expect.stringMatching(/which a server may reject/) });
});

// @covers 2B.Cron.schedule:refused
it.each([
  ["", "has 0 fields"],
  ["0 3 * *", "has 4 fields"],
  ["0 0 3 * * *", "has 6 fields, one of them for seconds"],
  ["0 0 3 * * * 2030", "has 7 fields, with seconds and years"],
  ["@reboot", '"@reboot" names no times'],
  ["R 3 * * *", '"R" is a random minute'],
  ["60 * * * *", '"60" is not a valid minute; values are 0 to 59.'],
  ["* 24 * * *", '"24" is not a valid hour'],
  ["* * 0 * *", '"0" is not a valid day of the month; values are 1 to 31.'],
  ["* * * * 8", '"8" is not a valid weekday; values are 0 to 6.'],
  ["-1 * * * *", '"-1" is not a valid minute'],
  ["0,,1 * * * *", '"" is not a valid minute'],
  ["*-5 * * * *", '"*-5" is not a valid minute'],
  ["*/0 * * * *", '"*/0" has a step of 0'],
  ["L * * * *", '"L" is not a valid minute'],
  ["0 0 31 2 *", "never comes: no month that it names has a day 31."],
  ["0 0 31 4,6,9,11 *", "never comes"],
])("the schedule %j is refused", (schedule, reason) => {
  expect(checkSchedule(schedule).error).toContain(reason);
});

// @covers 2B.Cron.timezone
it.each([
  ...["UTC", "GMT", "Etc/UTC", "Etc/GMT+1", "Europe/Berlin", "Asia/Kolkata", "Asia/Calcutta", "US/Pacific", "GB"],
  ...["Africa/Dar_es_Salaam", "America/Port-au-Prince", "Antarctica/DumontDUrville", "W-SU", "NZ-CHAT", "GMT+0"],
])("the time zone %s is valid, also where Node.js does not list it", (name) => {
  expect(timeZoneError(name)).toBeUndefined();
});

it.each([
  ["utc", 'must be written "UTC".'],
  ["europe/berlin", 'must be written "Europe/Berlin".'],
  ["asia/kolkata", "is not written as in the IANA database"],
  ["PST", "is not a name of the IANA database"],
  ["+02:00", "is an offset"],
  ["UTC+2", "is an offset"],
  ["Europe/Berlin ", "is not a time zone of the IANA database"],
  ["../UTC", "is not a time zone of the IANA database"],
  ["", "is not a time zone of the IANA database"],
])("the time zone %j is refused", (name, reason) => {
  expect(timeZoneError(name)).toContain(reason);
});

it("A time zone that this Node.js does not know is a warning, because the server may know it", () => {
  for (const result of [timeZoneError("Mars/Phobos"), timeZoneWarning("Europe/Berlin"), timeZoneWarning("+02:00")])
    expect(result).toBeUndefined();
  expect(timeZoneWarning("Mars/Phobos")).toContain("a server with another one may accept it");
});

it.each([
  ["0 3 * * *", " 0  3 * * * "],
  ["0 3 * * *", "00 03 * * *"],
  ["0 3 * * 1", "0 3 * * MON"],
  ["0 3 * * 0", "0 3 * * 7"],
  ["0 3 * * 1-5", "0 3 * * mon-FRI"],
  ["0 3 * * 1-5", "0 3 * * 5,4,3,2,1"],
  ["0 3 1 1 *", "0 3 1 jan *"],
  ["0 0 * * *", "@daily"],
  ["*/1 * * * *", "* * * * *"],
  ["0-30/10 * * * *", "0,10,20,30 * * * *"],
  ["0 3 * * 6,0", "0 3 * * 6-7"],
  ["0 3 L * *", "0 3 l * *"],
])("The schedules %j and %j are the same", (left, right) => {
  expect(normalizeSchedule(left)).toBe(normalizeSchedule(right));
});

it.each([
  ["0 3 * * *", "0 4 * * *"],
  ["0 3 * * 0-6", "0 3 * * *"],
  ["*/2 * * * *", "*/3 * * * *"],
  ["0 3 * * 1", "0 3 1 * *"],
  ["0 3 * * 5-1", "0 3 * * 1-5"],
  ["0 3 * * *", "0 0 3 * * *"],
  ["@reboot", "@daily"],
])("The schedules %j and %j are different", (left, right) => {
  expect(normalizeSchedule(left)).not.toBe(normalizeSchedule(right));
});
