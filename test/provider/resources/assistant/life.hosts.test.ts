/** The life of an Assistant against both kinds of agent server. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createAssistant, startAssistants } from "../../../support/agents/assistants";
import { dynamicHostOnly, expectClean, stateOf } from "../../../support/stack";

const ADDRESS = "GET /v2/deployments/{id}";
const [POST, ONE, PATCH] = ["POST /assistants", "GET /assistants/{id}", "PATCH /assistants/{id}"];
const SCHEMAS = "GET /assistants/{id}/schemas";

describe.each(["python", "javascript"] as const)("an Assistant of the server in %s", (agentServer) => {
  const start = () => startAssistants({ agentServer });
  const create = (change: PropertyMap = {}) => createAssistant(change, { agentServer });

  it("is created with the declared inputs as version 1, by one request", async () => {
    const agents = await start();
    const stack = agents.assistantStack();
    const declared = agents.assistantInputs({
      description: "Answers",
      config: { tags: ["a"], recursionLimit: 5, run_name: "kept" },
      metadata: { team: "support", camelCase: { inner: [1] } },
    });
    expect(await stack.up(declared)).toBe("create");
    expect(agents.agentRequests()).toEqual([ADDRESS, "GET /ok", ONE, POST, SCHEMAS, "POST /assistants/search"]);
    const { id, outputs } = stateOf(stack);
    const [remote] = await agents.assistants();
    expect(remote).toMatchObject({
      ...{ assistant_id: id, graph_id: "echo", name: "support", description: "Answers", context: { prefix: "> " } },
      config: { tags: ["a"], recursion_limit: 5, run_name: "kept" },
      ...{ metadata: { team: "support", camelCase: { inner: [1] }, pulumi_assistant: id }, version: 1 },
    });
    expect(outputs).toMatchObject({ url: agents.url + agents.basePath, version: 1, createdAt: remote?.created_at });
    expect(stack.messages).toEqual([]);
    await agents.emulator.requestLog.clear();
    expect(await stack.refresh()).toBe("same");
    expect(agents.agentRequests()).toEqual([ADDRESS, ONE]);
  });

  const UPPER = { context: { prefix: "> ", letters: "upper" } };
  dynamicHostOnly(it).each<[string, PropertyMap, PropertyMap, PropertyMap]>([
    ["context.prefix", {}, { context: { prefix: "# " } }, { context: { prefix: "# " } }],
    ["context.letters", {}, UPPER, UPPER],
    ["context.prefix", {}, { context: undefined }, { context: {} }],
    ["graphId echo -> counter", { context: {} }, { context: {}, graphId: "counter" }, { graph_id: "counter" }],
    ["name support -> sales", {}, { name: "sales" }, { name: "sales" }],
    ["description", {}, { description: "New" }, { description: "New" }],
    ["description", { description: "Old" }, {}, { description: "" }],
    ["config.tags", { config: { tags: ["a"] } }, { config: { tags: ["b"] } }, { context: { prefix: "> " } }],
    ["config.recursionLimit", { config: { recursionLimit: 3 } }, {}, { context: { prefix: "> " } }],
    [
      "metadata.team",
      { metadata: { team: "a", other: 1 } },
      { metadata: { other: 1 } },
      { metadata: expect.objectContaining({ team: null, other: 1 }) },
    ],
  ])("gets exactly one new version for a change of %s", async (path, before, change, expected) => {
    const { agents, stack, id } = await create(before);
    const declared = agents.assistantInputs(change);
    expect(await stack.up(declared)).toBe("update");
    expect(stack.messages).toEqual([`info: new version: ${path}`]);
    const schemas = /context|config|graphId/.test(path) ? [SCHEMAS] : [];
    expect(agents.agentRequests()).toEqual([ADDRESS, ONE, PATCH, ...schemas]);
    expect(await agents.getAssistant(id)).toMatchObject({ ...expected, version: 2 });
    expect(stateOf(stack).outputs.version).toBe(2);
    stack.messages = [];
    await expectClean(stack, declared);
    expect((await agents.getAssistant(id)).version).toBe(2);
    expect(stack.messages).toEqual([]);
  });
});
