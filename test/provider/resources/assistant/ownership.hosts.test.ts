/** Assistants are created once, and those of others and of the server itself are left alone. */
import { defaultAssistantId } from "../../../../provider/schema/id";
import { createAssistant, startAssistants } from "../../../support/agents/assistants";
import { dynamicHostOnly, expectClean, startStack, stateOf } from "../../../support/stack";

const ID = "12345678-1234-4234-8234-123456789abc";

describe.each(["python", "javascript"] as const)("on the server in %s, an Assistant", (agentServer) => {
  it("of a killed run gets what the program declares now, and nothing else, in one version", async () => {
    const before = { description: "Old", config: { tags: ["a"] }, metadata: { team: "a" } };
    const { agents, stack, id } = await createAssistant(before, { agentServer });
    const next = stack.fork();
    const declared = agents.assistantInputs({ context: undefined, metadata: { team: "b" } });
    await next.up(declared);
    expect(await agents.getAssistant(id)).toMatchObject({
      ...{ context: {}, description: "", metadata: { team: "b" }, version: 2 },
    });
    expect((await agents.getAssistant(id)).config).not.toHaveProperty("tags");
    await expectClean(next, declared);
  });

  it("is created without a warning where the server lacks the search for what earlier runs left", async () => {
    const agents = await startAssistants({ agentServer });
    const search = { method: "POST", path: "/agents/*/assistants/search" };
    await agents.addFault({ ...search, status: 404, body: { detail: "Not Found" }, times: 9 });
    const stack = agents.assistantStack();
    expect(await stack.up(agents.assistantInputs())).toBe("create");
    expect(stack.messages).toEqual([]);
  });

  it("is one object when two runs create it at once", async () => {
    const agents = await startAssistants({ agentServer });
    const runs = [agents.assistantStack(), agents.assistantStack()];
    await Promise.all(runs.map((stack) => stack.up(agents.assistantInputs())));
    const [first, second] = runs.map((stack) => stateOf(stack).id);
    expect(first).toBe(second);
    expect(await agents.assistants()).toMatchObject([{ assistant_id: first, version: 1 }]);
  });

  it("that is a default one is never managed: not by its ID, not by an import, and not from state", async () => {
    const { agents, stack } = await createAssistant({}, { agentServer });
    const before = await agents.defaults();
    const id = defaultAssistantId("counter");
    const other = agents.assistantStack({ name: "other" });
    await expect(other.up(agents.assistantInputs({ assistantId: id }))).rejects.toThrow(
      `assistant ${id} at ${agents.url}${agents.basePath} is the default assistant of its graph`,
    );
    await expect(other.up(agents.assistantInputs({ assistantId: id, graphId: "counter" }))).rejects.toThrow(
      "assistantId is the ID of the default assistant of counter, which belongs to the server",
    );
    expect(other.state).toBeUndefined();
    stack.state = { ...stateOf(stack), id };
    await expect(stack.up(agents.assistantInputs({ context: {} }))).rejects.toThrow("was not changed, because it");
    stack.messages = [];
    await stack.destroy();
    expect(stack.messages.join()).toContain("was not deleted, because it is the default assistant of its graph");
    expect(await agents.defaults()).toEqual(before);
  });

  it("is deleted with all of its versions, but not with threads, also without its marker", async () => {
    const { agents, stack, id } = await createAssistant({}, { agentServer });
    await agents.patchAssistant(id, { metadata: { pulumi_assistant: null } });
    const { body } = await agents.callAgentServer("POST", "/threads", { metadata: { assistant_id: id } });
    await agents.emulator.requestLog.clear();
    await stack.destroy();
    const look = agentServer === "python" ? ["POST /runs/crons/search"] : [];
    expect(agents.agentRequests()).toEqual([
      ...["GET /v2/deployments/{id}", "GET /assistants/{id}", "GET /info"],
      ...[...look, "DELETE /assistants/{id}"],
    ]);
    expect(await agents.assistants()).toEqual([]);
    expect((await agents.threads()).map(({ thread_id }) => thread_id)).toEqual([body.thread_id]);
    expect(stack.messages).toEqual([]);
  });
});

it("an Assistant of a server that hides assistants of other users says that the ID is one of them", async () => {
  const agents = await startAssistants();
  await agents.addFault({ method: "POST", path: `${agents.basePath}/assistants`, status: 409 });
  await expect(agents.assistantStack().up(agents.assistantInputs({ assistantId: ID }))).rejects.toThrow(
    `The ID ${ID} probably belongs to an assistant of another user`,
  );
});

it.each([
  ["of another stack", { stack: "production" }, true],
  ["of another organization with the same project and stack", { organization: "others" }, true],
  ["of this stack", {}, false],
])("a destroy of an Assistant with a cron %s stops if others would lose it", async (_what, options, stops) => {
  const { agents, stack, id } = await createAssistant();
  const cron = await startStack(
    agents,
    { deploymentId: agents.deploymentId, assistantId: id, schedule: "0 3 * * *", input: {} },
    { kind: "Cron", name: "nightly", ...options },
  );
  if (!stops) return stack.destroy().then(async () => expect(await agents.assistants()).toEqual([]));
  await expect(stack.destroy()).rejects.toThrow(`this stack does not manage: ${stateOf(cron).id}`);
  expect(await cron.refresh()).toBe("same");
});

dynamicHostOnly(describe)("an import of an Assistant", () => {
  it("changes nothing, and the first change afterwards adds the marker, in one version", async () => {
    const agents = await startAssistants();
    const theirs = { assistant_id: ID, graph_id: "echo", name: "support", context: { prefix: "> " } };
    await agents.callAgentServer("POST", "/assistants", theirs);
    const stack = agents.assistantStack();
    await stack.up(agents.assistantInputs(), stack.host(), { __import: ID });
    expect(await agents.getAssistant(ID)).toMatchObject({ version: 1, metadata: {} });
    await stack.up(agents.assistantInputs({ description: "Ours" }));
    expect(await agents.getAssistant(ID)).toMatchObject({
      version: 2,
      metadata: { pulumi_assistant: expect.any(String), pulumi_assistant_stack: expect.any(String) },
    });
    expect(await stack.up(agents.assistantInputs({ description: "Ours" }))).toBe("same");
  });

  it("of a default one fails", async () => {
    const agents = await startAssistants();
    const id = defaultAssistantId("echo");
    const stack = agents.assistantStack();
    const declared = agents.assistantInputs({ name: "echo", context: undefined });
    await expect(stack.up(declared, stack.host(), { __import: id })).rejects.toThrow("is the default assistant");
  });
});
