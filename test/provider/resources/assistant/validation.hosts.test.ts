/** Validation of an Assistant in a preview, without requests, and what the preview says. */
import { defaultAssistantId } from "../../../../provider/schema/id";
import { createAssistant } from "../../../support/agents/assistants";
import { CheckError, isDynamicHost, Stack, stateOf } from "../../../support/stack";
import { TestClock } from "../../../support/time/clock";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const unreachable = { url: "http://127.0.0.1:1", clock: new TestClock() };
const good = { deploymentId: "66666666-6666-4666-8666-666666666666", graphId: "echo", name: "support" };

async function rejectionOf(declared: object, config = {}): Promise<string> {
  const stack = new Stack(unreachable, { kind: "Assistant", name: "support", config });
  const error = await stack.check({ ...good, ...declared }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(CheckError);
  return (error as CheckError).message;
}

// @covers 2B.Assistant.metadata:reserved, 2B.Assistant.mirrors:both, 2B.Assistant.mirrors:reserved
// @covers 2B.Assistant.default
it.each([
  [{ deploymentId: undefined }, "deploymentId is missing"],
  [{ deploymentUrl: "ftp://agents.example" }, "is not a valid URL of a server"],
  [{ graphId: undefined }, "graphId is required"],
  [{ name: "" }, "name must not be empty"],
  [{ assistantId: "support" }, 'assistantId must be a UUID, not "support"'],
  [{ assistantId: defaultAssistantId("echo").toUpperCase() }, "assistantId is the ID of the default assistant of echo"],
  [{ context: { a: 1 }, config: { configurable: { b: 1 } } }, "config.configurable cannot be combined with context"],
  [{ context: { agentgraph_auth_user: 1 } }, "context.agentgraph_auth_user is a key of the server itself"],
  [{ config: { configurable: { __pregel: 1 } } }, "config.configurable.__pregel is a key of the server itself"],
  [{ context: { langgraph_request_id: 1 } }, "context.langgraph_request_id is a key of the server itself"],
  [{ metadata: { run_id: "x" } }, "metadata.run_id is a key of the server itself"],
  [{ config: { metadata: { run_id: "x" } } }, "config.metadata.run_id is a key of the server itself"],
  [
    { metadata: { counters_since_delta_snapshot: {} } },
    "metadata.counters_since_delta_snapshot is a key of the server itself",
  ],
  [{ metadata: { created_by: "system" } }, "metadata.created_by marks the assistants that the server makes itself"],
  [
    { metadata: { pulumi_assistant_stack: "x" } },
    "metadata.pulumi_assistant_stack is reserved for the ownership marker",
  ],
  [{ config: { recursionLimit: 0 } }, "config.recursionLimit"],
  [{ config: { tags: "a" } }, "config.tags"],
  [{ version: 2 }, "version is an output; to go back to an older version, declare its content"],
])("an Assistant with %j is rejected", async (declared, expected) => {
  expect(await rejectionOf(declared)).toContain(expected);
});

// @covers 2B.Assistant
it("an Assistant with the API's spelling of a field is rejected; in state it is repaired", async () => {
  expect(await rejectionOf({ config: { recursion_limit: 50 } })).toContain(
    "config.recursion_limit is the name of this field in the API; use recursionLimit.",
  );
  const { agents, stack, id } = await createAssistant({ config: { recursionLimit: 50 } });
  const held = stateOf(stack);
  for (const part of [held.inputs, held.outputs]) part.config = { recursion_limit: 50 };
  await stack.refresh();
  expect(await stack.up(agents.assistantInputs({ config: { recursionLimit: 50 } }))).toBe("same");
  expect(await agents.getAssistant(id)).toMatchObject({ version: 1 });
  for (const part of [stateOf(stack).inputs, stateOf(stack).outputs]) part.config = { recursion_limit: 50 };
  await stack.destroy();
  expect(await agents.assistants()).toEqual([]);
});

it("an Assistant with the vendor's spelling of a key of the server is rejected", async () => {
  const config = { vocabulary: '{"agentgraph":"vendorgraph"}' };
  expect(await rejectionOf({ context: { vendorgraph_request_id: 1 } }, config)).toContain("is a key of the server");
});

it("an Assistant with metadata of others and empty values is accepted", async () => {
  const stack = new Stack(unreachable, { kind: "Assistant", name: "support" });
  const values = { context: {}, config: { configurable: {} }, metadata: { created_by: "me", a: null } };
  expect(await stack.check({ ...good, ...values })).toMatchObject(good);
});

describe("the preview of an Assistant", () => {
  it("says what the replacement by assistantId loses", async () => {
    const { agents, stack } = await createAssistant();
    await stack.diff(agents.assistantInputs({ assistantId: "12345678-1234-4234-8234-123456789abc" }));
    expect(stack.messages).toEqual([
      "warn: REPLACED, its versions and crons are lost: assistantId; its unfinished runs are interrupted",
    ]);
    expect(agents.agentRequests()).toEqual([]);
  });

  it.each(["context", "config", "metadata", "graphId", "name"])("with an unknown %s says: new version", async (key) => {
    const { agents, stack } = await createAssistant();
    expect((await stack.diff(agents.assistantInputs({ [key]: UNKNOWN }))).replaces).toEqual([]);
    expect(stack.messages).toEqual([expect.stringMatching(new RegExp(`^info: new version: ${key}`))]);
  });
});

it("an existing Assistant is read with all of its values, also a default one", async () => {
  const { agents, id } = await createAssistant({ config: { tags: ["a"] }, metadata: { team: "a" } });
  for (const [assistant, expected] of [
    [id, { name: "support", context: { prefix: "> " }, config: { tags: ["a"] }, metadata: { team: "a" } }],
    [defaultAssistantId("echo"), { name: "echo", metadata: { created_by: "system" } }],
  ] as const) {
    const stack = agents.assistantStack({ name: "existing" });
    const container = { deploymentId: agents.deploymentId };
    const { outputs } = isDynamicHost
      ? await stack.get(assistant, container)
      : await stack.import(`${agents.deploymentId}/${assistant}`);
    expect(outputs).toMatchObject({ ...expected, graphId: "echo", version: 1 });
  }
});
