/** What the check of a Cron rejects or warns of, before anything is sent. */
import { cronsOf } from "../../../support/crons";
import { startAgents } from "../../../support/threads";

const threadId = "12345678-1234-4234-8234-123456789abc";

it.each<[string, object, string]>([
  ["a schedule with seconds", { schedule: "0 0 3 * * *" }, "schedule has 6 fields"],
  ["a date that never comes", { schedule: "0 0 31 2 *" }, "schedule never comes"],
  ["a time zone in another case", { timezone: "europe/berlin" }, 'timezone must be written "Europe/Berlin".'],
  ["an end without a time zone", { endTime: "2999-01-01T00:00:00" }, "endTime is not a valid timestamp"],
  ["onRunCompleted on a thread", { threadId, onRunCompleted: "keep" }, "cannot be combined with threadId"],
  [
    "a context beside config.configurable",
    { context: { a: 1 }, config: { configurable: { b: 1 } } },
    "never start a run",
  ],
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
  [
    "another ID of the cron for its runs",
    { config: { configurable: { cron_id: "x" } } },
    "is the ID of the cron itself",
  ],
  [
    "the API's spelling of a field",
    { config: { recursion_limit: 5 } },
    "config.recursion_limit is the name of this field in the API",
  ],
  ["an unknown field", { cron: "* * * * *" }, "did you mean schedule?"],
  ["no server", { deploymentId: undefined }, "deploymentId is missing"],
])("Cron: %s is rejected", async (_what, change, reason) => {
  const agents = await startAgents();
  const crons = cronsOf(agents);
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
  const agents = await startAgents();
  const crons = cronsOf(agents);
  const stack = crons.stack();
  await stack.check(crons.inputs(change as never));
  expect(stack.messages.join("\n")).toContain(`warn: ${warning.startsWith("did") ? "" : warning}`);
  expect(stack.messages.join("\n")).toContain(warning);
  expect(agents.agentRequests()).toEqual([]);
});
