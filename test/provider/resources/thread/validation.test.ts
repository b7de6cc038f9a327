/** What the check of a Thread rejects or warns of, and the IDs that follow from its inputs, which never change. */
import { deriveResourceId, toCanonicalJson } from "../../../../provider/objects/metadata/metadata";
import { deriveThreadId } from "../../../../provider/resources/thread/object";
import { startThread, superstep } from "../../../support/agents/threads";
import type { Platform } from "../../../support/platform";
import { CheckError, expectClean, Stack, stateOf } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const unreachable: Pick<Platform, "clock" | "url"> = { url: "http://127.0.0.1:1", clock: new TestClock() };
const stackOf = (config = {}) => new Stack(unreachable, { kind: "Thread", name: "session", config });
const good = { deploymentId: "66666666-6666-4666-8666-666666666666", metadata: { graph_id: "echo" } };
const id = "12345678-1234-4234-8234-123456789abc";

async function rejectionOf(declared: object, config = {}): Promise<string> {
  const error = await stackOf(config)
    .check({ ...good, ...declared })
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(CheckError);
  return (error as CheckError).message;
}

// @covers 2B.Thread.values, 2B.Superstep
it.each([
  [{ deploymentId: undefined }, "deploymentId is missing: specify the ID of a deployment, or deploymentUrl."],
  [{ deploymentUrl: "agents.example" }, 'must be a URL such as https://host/path, not "agents.example"'],
  [{ deploymentUrl: "ftp://agents.example" }, "is not a valid URL of a server; expected https://host, not ftp:"],
  [{ deploymentUrl: "https://me:secret@agents.example" }, "must not contain a user name or password"],
  [{ deploymentUrl: "https://:secret@agents.example" }, "must not contain a user name or password"],
  [{ deploymentUrl: "https://a.example/a?b=c" }, "must not have a query or a fragment; use https://a.example/a"],
  [{ deploymentId: "my-agent" }, 'deploymentId must be a UUID, not "my-agent"'],
  [{ threadId: "session-1" }, 'threadId must be a UUID, not "session-1"'],
  [{ copyFrom: id, threadId: id }, "threadId cannot be combined with copyFrom"],
  [{ copyFrom: id, supersteps: [superstep({})] }, "supersteps cannot be combined with copyFrom"],
  [{ supersteps: [] }, "supersteps must not be empty"],
  [
    { supersteps: [{ updates: [{ asNode: "a" }] }] },
    "supersteps.0.updates.0 has no effect: specify values or a command.",
  ],
  [{ supersteps: [{ updates: [{ values: {} }] }] }, "supersteps.0.updates.0.asNode is required"],
  [
    { supersteps: [{ updates: [{ values: {}, as_node: "a" }] }] },
    'as_node is not a known field; did you mean "asNode"?',
  ],
  [{ metadata: { pulumi_thread: "x" } }, "metadata.pulumi_thread is reserved for the ownership marker"],
  [{ ttl: { ttl: 0 } }, "ttl.ttl"],
  [{ values: {} }, "values is the current state of a thread; declare the initial state with supersteps."],
])("a Thread with %j is rejected", async (declared, expected) => {
  expect(await rejectionOf(declared)).toContain(expected);
});

// @covers 2B.agentgraph_auth_user_id
it("a Thread with the vendor's spelling of a reserved key is rejected; the standard one is mapped to it", async () => {
  const vocabulary = { vocabulary: '{"agentgraph":"vendorgraph"}' };
  const rejection = await rejectionOf({ metadata: { vendorgraph_auth_user_id: "ada" } }, vocabulary);
  expect(rejection).toContain("use agentgraph_auth_user_id");
  const server = { vocabulary: { agentgraph: "vendorgraph" } };
  const { agents, stack } = await startThread({ server, stack: { config: vocabulary } });
  const declared = agents.threadInputs({ metadata: { agentgraph_auth_user_id: "ada", agentgraph_other: 1 } });
  await stack.up(declared);
  const { metadata } = await agents.getThread(stateOf(stack).id);
  expect(metadata).toMatchObject({ vendorgraph_auth_user_id: "ada", agentgraph_other: 1 });
  await expectClean(stack, declared);
});

// @covers 2B.graph_id
it.each([
  [{ metadata: { team: "x" }, supersteps: [superstep({})] }, /^warn: supersteps: requires metadata\.graph_id/],
  [{ supersteps: [{ updates: [{ values: {}, command: {}, asNode: "a" }] }] }, /has both values and a command/],
  [
    { supersteps: [{ updates: [{ values: { a: 1 }, asNode: "__input__" }] }, superstep({})] },
    /^warn: supersteps\.0: is an input that waits for a run, and the next superstep discards it/,
  ],
  [
    { ttl: { ttl: 5, strategy: "forget" } },
    /^warn: ttl\.strategy: "forget" is not known; known values: delete, keep_latest/,
  ],
])("a Thread with %j causes a warning", async (declared, expected) => {
  const stack = stackOf();
  await stack.check({ ...good, ...declared });
  expect(stack.messages).toEqual([expect.stringMatching(expected)]);
});

const ctx = { marker: "acme/urn" };
const threadId = "ABCDEF12-1234-4234-8234-123456789ABC";

it.each<[unknown, string]>([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ c: 1, a: 2, b: 3 }, '{"a":2,"b":3,"c":1}'],
  [{ b: null, a: undefined }, "{}"],
  [[1, "x", null, [true]], '[1,"x",null,[true]]'],
  [{ a: [{ c: 1, b: [] }] }, '{"a":[{"b":[],"c":1}]}'],
  [null, "null"],
  [undefined, "null"],
  ["text", '"text"'],
])("the canonical text of %j is %s", (value, expected) => expect(toCanonicalJson(value)).toBe(expected));

// @covers 2B.Thread.thread_id
it.each<[object, string]>([
  [{ deploymentId: "d" }, "c27e2469-5d07-50ec-b85a-0fe8836253f3"],
  [{ deploymentId: "d", metadata: { a: 1 }, ttl: { ttl: 5 }, sensitive: true }, "c27e2469-5d07-50ec-b85a-0fe8836253f3"],
  [{ deploymentUrl: "https://agents.example/a" }, "6f17411b-ce3d-53f9-b61a-b1dc06c54b18"],
  [{ deploymentUrl: "https://AGENTS.example:443/a/" }, "6f17411b-ce3d-53f9-b61a-b1dc06c54b18"],
  [{ deploymentId: "d", threadId }, "2b67b63d-6c19-51c2-af3d-e001203bbcf7"],
  [{ deploymentId: "d", threadId: threadId.toLowerCase() }, "2b67b63d-6c19-51c2-af3d-e001203bbcf7"],
  [{ deploymentId: "d", copyFrom: threadId }, "496b0f67-078c-543a-a336-6c6db331f23a"],
  [{ deploymentId: "d", copyFrom: threadId.toLowerCase() }, "496b0f67-078c-543a-a336-6c6db331f23a"],
])("a thread with %j has the ID %s", (inputs, expected) => expect(deriveThreadId(inputs, ctx)).toBe(expected));

it("the ID of a thread depends on its initial state and its owner as well", () => {
  const [state, known] = [{ deploymentId: "d", supersteps: [superstep({})] }, "c27e2469-5d07-50ec-b85a-0fe8836253f3"];
  expect(deriveThreadId(state, ctx)).not.toBe(known);
  expect(deriveThreadId({ deploymentId: "d" }, { marker: "acme/other" })).not.toBe(known);
});

it("the ID of a thread includes its metadata only where the server cannot update them", () => {
  const [before, after] = [{ deploymentId: "d" }, { deploymentId: "d", metadata: { team: "a" } }];
  expect(deriveThreadId(after, ctx, ["metadata"])).not.toBe(deriveThreadId(after, ctx));
  expect(deriveThreadId(before, ctx, ["metadata"])).toBe(deriveThreadId(before, ctx));
});

it("the ID of the resource depends on the owner and the URN alone", () => {
  expect(deriveResourceId(ctx)).toBe("f86510fa-7f69-541e-9947-e3dd35824cea");
  expect(deriveResourceId({ marker: "acme/other" })).not.toBe("f86510fa-7f69-541e-9947-e3dd35824cea");
});
