/** Assistants are created once, and those of others and of the server itself are left alone. */
import { defaultAssistantId } from "../../../../provider/schema/id";
import { createAssistant, startAssistants } from "../../../support/assistants";
import { failureOf } from "../../../support/errors";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { dynamicHostOnly, isDynamicHost, Stack, stateOf } from "../../../support/stack";

const ID = "12345678-1234-4234-8234-123456789abc";

describe.each(["python", "javascript"] as const)("on the server in %s, an Assistant", (agentServer) => {
  it("whose run was killed after the create is resumed, without a second version", async () => {
    const { agents, stack, id } = await createAssistant({}, { agentServer });
    await agents.advance(60_000);
    const next = stack.fork();
    expect(await next.up(agents.assistantInputs())).toBe("create");
    expect(stateOf(next).id).toBe(id);
    expect(await agents.assistants()).toMatchObject([{ assistant_id: id, version: 1 }]);
    expect(next.messages).toEqual([
      `warn: Resuming assistant ${id} at ${agents.url}${agents.basePath}: an earlier run of this resource created it.`,
    ]);
  });

  it("of a killed run gets what the program declares since, and loses what it no longer declares, in one version", async () => {
    const before = { description: "Old", config: { tags: ["a"] }, metadata: { team: "a" } };
    const { agents, stack, id } = await createAssistant(before, { agentServer });
    const next = stack.fork();
    const declared = agents.assistantInputs({ context: undefined, metadata: { team: "b" } });
    await next.up(declared);
    expect(await agents.getAssistant(id)).toMatchObject({
      context: {},
      description: "",
      metadata: { team: "b" },
      version: 2,
    });
    expect((await agents.getAssistant(id)).config).not.toHaveProperty("tags");
    expect(await next.refresh()).toBe("same");
    expect(await next.up(declared)).toBe("same");
  });

  it("of a killed run with another spelling of its server is named and left alone", async () => {
    const { agents, stack, id } = await createAssistant({}, { agentServer });
    const next = stack.fork();
    await next.up(agents.assistantInputs({ deploymentId: undefined, deploymentUrl: agents.url + agents.basePath }));
    expect(await agents.assistants()).toHaveLength(2);
    expect(next.messages).toEqual([
      expect.stringContaining(
        `warn: Earlier runs of this resource left assistants at ${agents.url}${agents.basePath} that no resource manages: ${id}. They were created with other inputs and were not changed. This resource manages assistant ${stateOf(next).id}.\nTo adopt one:   import: "`,
      ),
    ]);
  });

  it("is created without a warning where the server lacks the search for what earlier runs left", async () => {
    const agents = await startAssistants({ agentServer });
    const search = { method: "POST", path: "/agents/*/assistants/search" };
    await agents.emulator.faults.add({ ...search, status: 404, body: { detail: "Not Found" }, times: 9 });
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

  it("of others with the declared ID is left alone, with the line that imports it", async () => {
    const agents = await startAssistants({ agentServer });
    await agents.callAgentServer("POST", "/assistants", { assistant_id: ID, graph_id: "counter", name: "theirs" });
    const before = await agents.getAssistant(ID);
    const stack = agents.assistantStack();
    const { message } = await failureOf(stack.up(agents.assistantInputs({ assistantId: ID })));
    expect(message).toContain(`assistant ${ID} already exists at ${agents.url}${agents.basePath}`);
    expect(message).toContain(`import: "${isDynamicHost ? "" : `${agents.deploymentId}/`}${ID}"`);
    expect(await agents.getAssistant(ID)).toEqual(before);
    expect(stack.state).toBeUndefined();
  });

  it.each([
    ["with the setting ownerMarker: false", { ownerMarker: "false" }],
    ["with markers", {}],
  ])("of others that was created a moment ago is left alone, %s", async (_what, config) => {
    const agents = await startAssistants({ agentServer });
    await agents.callAgentServer("POST", "/assistants", { assistant_id: ID, graph_id: "echo", name: "theirs" });
    const before = await agents.getAssistant(ID);
    const stack = agents.assistantStack({ config });
    await agents.emulator.requestLog.clear();
    const { message } = await failureOf(stack.up(agents.assistantInputs({ assistantId: ID })));
    expect(message).toContain("and this resource did not create it");
    expect(
      agents.agentRequests().filter((request) => /^(POST|PATCH|DELETE) .assistants(?!.search)/.test(request)),
    ).toEqual([]);
    expect(await agents.getAssistant(ID)).toEqual(before);
  });

  it("that others created under the ID of a deleted one is left alone by every command", async () => {
    const { agents, stack, id } = await createAssistant({}, { agentServer });
    await agents.callAgentServer("DELETE", `/assistants/${id}`);
    await agents.advance(60_000);
    await agents.callAgentServer("POST", "/assistants", { assistant_id: id, graph_id: "echo", name: "theirs" });
    const before = await agents.getAssistant(id);
    const saved = structuredClone(stateOf(stack));
    await expect(stack.up(agents.assistantInputs({ context: {} }))).rejects.toThrow(
      "was not changed, because it is another one than this resource had",
    );
    stack.messages = [];
    await stack.destroy();
    expect(stack.messages).toEqual([
      expect.stringContaining("was not deleted, because it is another one than this resource had"),
    ]);
    stack.state = saved;
    expect(await stack.refresh()).toBe("gone");
    expect(await agents.getAssistant(id)).toEqual(before);
  });

  it("that is a default one is never managed: not by its ID, not by an import, and not from state", async () => {
    const { agents, stack } = await createAssistant({}, { agentServer });
    const before = await agents.defaults();
    const id = defaultAssistantId("counter");
    const other = agents.assistantStack({ name: "other" });
    const { message } = await failureOf(other.up(agents.assistantInputs({ assistantId: id })));
    expect(message).toContain(
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

  it("survives a change of its marker by others, and is deleted with all of its versions, but not with threads", async () => {
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
  await agents.emulator.faults.add({ method: "POST", path: `${agents.basePath}/assistants`, status: 409 });
  const { message } = await failureOf(agents.assistantStack().up(agents.assistantInputs({ assistantId: ID })));
  expect(message).toContain(`The ID ${ID} probably belongs to an assistant of another user`);
});

it("an Assistant of others in the response to a create is not believed", async () => {
  const agents = await startAssistants();
  await agents.callAgentServer("POST", "/assistants", { assistant_id: ID, graph_id: "counter", name: "theirs" });
  const before = await agents.getAssistant(ID);
  const proxy = await startRewritingProxy(agents, (deployment) => deployment, {
    respond: (url, text) => (url.endsWith("/assistants") ? JSON.stringify(before) : text),
  });
  const deploymentUrl = proxy.url + agents.basePath;
  const options = { kind: "Assistant", config: { agentOrigins: JSON.stringify([proxy.url]) } };
  const stack = new Stack(proxy, options);
  const declared = agents.assistantInputs({ deploymentId: undefined, deploymentUrl });
  await stack.up(declared);
  // A search finds the one that the request created.
  expect(stateOf(stack).id).not.toBe(ID);
  expect(await agents.getAssistant(ID)).toEqual(before);
});

it("an Assistant whose ID was taken between the look and the create is left alone, and a lost create is not guessed", async () => {
  const agents = await startAssistants();
  const stack = agents.assistantStack({ config: { ownerMarker: "false" } });
  const declared = agents.assistantInputs({ assistantId: ID });
  const fault = { method: "POST", path: `${agents.basePath}/assistants`, times: 1 } as const;
  await agents.emulator.faults.add({ ...fault, connection: "reset-after" });
  await expect(stack.up(declared)).rejects.toThrow("nothing shows that this request created it");
  await agents.emulator.faults.add({ method: "GET", path: `${agents.basePath}/assistants/*`, status: 404, times: 1 });
  await expect(stack.up(declared)).rejects.toThrow("already exists");
  expect(await agents.assistants()).toMatchObject([{ version: 1 }]);
});

it("an Assistant without an ownership marker is resumed by its derived ID, but not by a declared one", async () => {
  const agents = await startAssistants();
  const options = { config: { ownerMarker: "false" } };
  for (const declared of [agents.assistantInputs(), agents.assistantInputs({ assistantId: ID })]) {
    await agents.assistantStack(options).up(declared);
    await agents.advance(60_000);
  }
  expect((await agents.assistants())[0]?.metadata).toEqual({});
  await agents.assistantStack(options).up(agents.assistantInputs());
  await expect(agents.assistantStack(options).up(agents.assistantInputs({ assistantId: ID }))).rejects.toThrow(
    "already exists",
  );
});

describe("a destroy of an Assistant with crons", () => {
  const prepare = async (metadata: object) => {
    const { agents, stack, id } = await createAssistant();
    const cron = { assistant_id: id, schedule: "0 3 * * *", input: {}, metadata };
    const { body } = await agents.callAgentServer("POST", "/runs/crons", cron);
    return { agents, stack, id, cronId: (body as unknown as { cron_id: string }).cron_id };
  };

  it("stops for those of others, with their IDs, unless the program allows it", async () => {
    const { agents, stack, id, cronId } = await prepare({ team: "sales" });
    const { message } = await failureOf(stack.destroy());
    expect(message).toContain(
      `this stack does not manage: ${cronId}. The assistant was not changed. Crons of this stack that belong to it may already be deleted; \`pulumi up\` creates them again.`,
    );
    // The engine deletes crons of this stack first, so nothing may claim that the command changed nothing.
    expect(message).not.toContain("No changes");
    expect(await agents.assistants()).toMatchObject([{ assistant_id: id, version: 1 }]);
    expect(await stack.up(agents.assistantInputs({ deleteForeignCrons: true }))).toBe("update");
    expect(stack.messages).toContain("info: changes nothing on the server: deleteForeignCrons");
    await stack.destroy();
    expect(await agents.assistants()).toEqual([]);
  });

  it.each([
    ["stack", { stack: "production" }],
    ["organization with the same project and stack", { organization: "others" }],
  ])("stops for those that another %s manages", async (_what, options) => {
    const { agents, stack, id } = await createAssistant();
    const cron = new Stack(agents, { kind: "Cron", name: "nightly", ...options });
    await cron.up({ deploymentId: agents.deploymentId, assistantId: id, schedule: "0 3 * * *", input: {} });
    await expect(stack.destroy()).rejects.toThrow(`this stack does not manage: ${stateOf(cron).id}`);
    expect(await cron.refresh()).toBe("same");
  });

  it.each([500, 403])("stops where the search for them fails with %d", async (status) => {
    const { agents, stack, id } = await prepare({ team: "sales" });
    await agents.emulator.faults.add({
      method: "POST",
      path: `${agents.basePath}/runs/crons/search`,
      status,
      times: 99,
    });
    await expect(stack.destroy()).rejects.toThrow(String(status));
    expect(await agents.assistants()).toMatchObject([{ assistant_id: id }]);
  });

  it("does not stop for those of this stack", async () => {
    const { agents, stack, id } = await prepare({});
    const { metadata } = await agents.getAssistant(id);
    const { body } = await agents.callAgentServer("POST", "/runs/crons/search", {});
    const [cron] = body as unknown as { cron_id: string }[];
    const marker = { pulumi_cron_stack: metadata.pulumi_assistant_stack };
    await agents.callAgentServer("PATCH", `/runs/crons/${cron?.cron_id}`, { metadata: marker });
    await stack.destroy();
    expect(await agents.assistants()).toEqual([]);
  });
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

  it("of another one than the program requests fails", async () => {
    const agents = await startAssistants();
    const other = "87654321-1234-4234-8234-123456789abc";
    const theirs = { assistant_id: other, graph_id: "echo", name: "support", context: { prefix: "> " } };
    await agents.callAgentServer("POST", "/assistants", theirs);
    const stack = agents.assistantStack();
    const declared = agents.assistantInputs({ assistantId: ID });
    await expect(stack.up(declared, stack.host(), { __import: other })).rejects.toThrow("assistantId: server has");
    expect(stack.state).toBeUndefined();
  });

  it("of a default one fails", async () => {
    const agents = await startAssistants();
    const id = defaultAssistantId("echo");
    const stack = agents.assistantStack();
    const declared = agents.assistantInputs({ name: "echo", context: undefined });
    await expect(stack.up(declared, stack.host(), { __import: id })).rejects.toThrow("is the default assistant");
  });
});
