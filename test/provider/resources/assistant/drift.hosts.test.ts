/** What others change of an Assistant, and what its server does not accept. */
import { isDeepStrictEqual } from "node:util";
import { RunState } from "../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createAssistant, startAssistants } from "../../../support/agents/assistants";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { expectClean, Stack, stateOf } from "../../../support/stack";

const changedOutside = (version: number, applied: number) =>
  `warn: changed outside: version ${version}, last applied ${applied}. The next \`pulumi up\` makes a version if ` +
  "it differs from the program.";

describe.each(["python", "javascript"] as const)("on the server in %s, an Assistant", (agentServer) => {
  const create = (change: PropertyMap = {}) => createAssistant(change, { agentServer });

  // @covers 4B.POST /assistants/{assistant_id}/latest
  it("that someone rolled back shows it with its version, and the next up repairs it with one version", async () => {
    const { agents, stack, id } = await create({ metadata: { team: "a" } });
    const declared = agents.assistantInputs({ context: { prefix: "# " }, metadata: { team: "b" } });
    await stack.up(declared);
    await agents.callAgentServer("POST", `/assistants/${id}/latest`, { version: 1 });
    const { context, config } = (await agents.getAssistant(id)) as PropertyMap & { config: PropertyMap };
    const isTorn = config.configurable !== undefined && !isDeepStrictEqual(config.configurable, context);
    stack.messages = [];
    expect(await stack.refresh()).toBe("changed");
    expect(stack.messages).toEqual([
      changedOutside(1, 2),
      ...(isTorn ? [expect.stringContaining("context and config.configurable differ")] : []),
    ]);
    expect(stateOf(stack).inputs.metadata).toEqual({ team: "a" });
    if (agentServer === "python") expect(stateOf(stack).inputs.context).toEqual({ prefix: "> " });
    expect(await stack.up(declared)).toBe("update");
    const repaired = await agents.getAssistant(id);
    expect(repaired).toMatchObject({ context: { prefix: "# " }, metadata: { team: "b" }, version: 3 });
    if (agentServer === "python") expect(repaired.config.configurable).toEqual({ prefix: "# " });
    await expectClean(stack, declared);
  });

  it("whose first version someone made the latest after a refresh stored their change is repaired", async () => {
    const { agents, stack, id } = await create({ context: { prefix: "> " } });
    const declared = agents.assistantInputs({ context: { prefix: "> " } });
    await agents.patchAssistant(id, { context: { prefix: "theirs" } });
    expect(await stack.refresh()).toBe("changed");
    await agents.callAgentServer("POST", `/assistants/${id}/latest`, { version: 1 });
    await stack.refresh();
    await stack.up(declared);
    expect(await agents.getAssistant(id)).toMatchObject({ context: { prefix: "> " } });
    await expectClean(stack, declared);
  });

  it.each<[string, PropertyMap, PropertyMap]>([
    ["context", { context: { prefix: "! " } }, {}],
    ["config", { config: { tags: ["b"], configurable: { prefix: "> " } } }, { config: { tags: ["a"] } }],
    ["name", { name: "renamed" }, {}],
    ["graphId", { graph_id: "counter" }, {}],
    ["description", { description: "theirs" }, { description: "ours" }],
  ])("whose %s others changed is repaired with one version", async (path, theirs, ours) => {
    const { agents, stack, id } = await create(ours);
    await agents.patchAssistant(id, theirs);
    expect(await stack.refresh()).toBe("changed");
    expect(stack.messages).toEqual([changedOutside(2, 1)]);
    expect(stateOf(stack).inputs[path]).not.toEqual(agents.assistantInputs(ours)[path]);
    expect(await stack.up(agents.assistantInputs(ours))).toBe("update");
    expect((await agents.getAssistant(id)).version).toBe(3);
    expect(await stack.refresh()).toBe("same");
  });

  it("to which others add metadata is not repaired, and keeps them", async () => {
    const { agents, stack, id } = await create({ metadata: { team: "a" } });
    await agents.patchAssistant(id, { metadata: { theirs: 1 } });
    expect(await stack.refresh()).toBe("same");
    expect(stack.messages).toEqual([changedOutside(2, 1)]);
    await stack.up(agents.assistantInputs({ metadata: { team: "b" } }));
    expect((await agents.getAssistant(id)).metadata).toMatchObject({ team: "b", theirs: 1 });
  });

  it("that others changed since the last refresh is overwritten with a warning of their version", async () => {
    const { agents, stack, id } = await create();
    await agents.patchAssistant(id, { name: "theirs" });
    await stack.up(agents.assistantInputs({ description: "New" }));
    expect(stack.messages).toContain(changedOutside(2, 1));
    expect(await agents.getAssistant(id)).toMatchObject({ name: "support", description: "New", version: 3 });
  });

  it("that already is what the program declares since gets no version", async () => {
    const { agents, stack, id } = await create();
    await agents.patchAssistant(id, { description: "New" });
    expect(await stack.up(agents.assistantInputs({ description: "New" }))).toBe("update");
    expect((await agents.getAssistant(id)).version).toBe(2);
    expect(stateOf(stack).outputs.version).toBe(2);
  });

  it("whose values move from context to config.configurable ends with what the program says", async () => {
    const { agents, stack, id } = await create({ config: { tags: ["a"] } });
    const values = { prefix: "> " };
    const declared = agents.assistantInputs({ context: undefined, config: { tags: ["a"], configurable: values } });
    await stack.up(declared);
    const { context, config } = await agents.getAssistant(id);
    expect(config).toEqual({ tags: ["a"], configurable: values });
    expect(context).toEqual(agentServer === "python" ? values : {});
    expect(await stack.refresh()).toBe("same");
    await stack.up(agents.assistantInputs({ context: undefined }));
    expect(await agents.getAssistant(id)).toMatchObject({ context: {}, config: { configurable: {} } });
    expect(await stack.refresh()).toBe("same");
  });

  it("whose context breaks the schema of its graph warns, without the values", async () => {
    const agents = await startAssistants({ agentServer });
    const stack = agents.assistantStack();
    await stack.up(agents.assistantInputs({ context: { prefix: 5, letters: "secret", lettres: "upper" } }));
    const suffix =
      "Servers store it anyway, and runs may fail or ignore it. Correct it, unless the graph reads more " +
      "than its schema declares.";
    expect(stack.messages.toSorted()).toEqual([
      `warn: context.letters: its graph expects "unchanged" or "upper" or "lower". ${suffix}`,
      `warn: context.lettres: its graph does not know this key; did you mean "letters"? ${suffix}`,
      `warn: context.prefix: its graph expects string. ${suffix}`,
    ]);
  });
});

it.each([
  ["context", { context: undefined, config: { tags: ["a"] } }, { context: { theirs: 1 } }, { config: { tags: ["b"] } }],
  ["config", {}, { config: { tags: ["theirs"] } }, { context: { prefix: "# " } }],
])(
  "what nobody declares of an Assistant is kept when another input changes: %s",
  async (key, declared, theirs, change) => {
    const { agents, stack, id } = await createAssistant(declared);
    await agents.patchAssistant(id, { context: { prefix: "> " }, config: { tags: ["a"] }, ...theirs });
    await stack.up(agents.assistantInputs({ ...declared, ...change }));
    expect((await agents.getAssistant(id))[key]).toMatchObject((theirs as PropertyMap)[key] as PropertyMap);
  },
);

it("the removal of config.configurable of an Assistant empties it in both places", async () => {
  const declared = { context: undefined, config: { tags: ["a"], configurable: { model: "old" } } };
  const { agents, stack, id } = await createAssistant(declared);
  const changed = agents.assistantInputs({ context: undefined, config: { tags: ["a"] } });
  await stack.up(changed);
  const { context, config } = await agents.getAssistant(id);
  expect([context, config.configurable ?? {}]).toEqual([{}, {}]);
  expect(await stack.up(changed)).toBe("same");
});

it("two Assistants of one graph request its schemas once in a run", async () => {
  const agents = await startAssistants();
  const stacks = ["first", "second"].map((name) => agents.assistantStack({ name }));
  const host = stacks[0]?.host();
  await Promise.all(stacks.map((stack) => stack.up(agents.assistantInputs(), host)));
  expect(agents.agentRequests().filter((request) => request.endsWith("/schemas"))).toHaveLength(1);
});

it("a graph that the server in Python does not have is an error with the graphs that it has", async () => {
  const agents = await startAssistants();
  const stack = agents.assistantStack();
  await expect(stack.up(agents.assistantInputs({ graphId: "ecko" }))).rejects.toThrow(
    /graphId: the agent server at .* has no graph "ecko" \(404: .*\)\. No changes were made\. Did you mean "echo"\?/,
  );
  expect(stack.state).toBeUndefined();
});

it("a graph that the server in JavaScript does not have is a warning, since the server accepts it", async () => {
  const agents = await startAssistants({ agentServer: "javascript" });
  const stack = agents.assistantStack();
  await stack.up(agents.assistantInputs({ graphId: "ecko" }));
  expect(stack.messages).toEqual([expect.stringContaining('no default assistant of the graph "ecko"')]);
});

// @covers 4B.GET /assistants/{assistant_id}
it("an Assistant whose graph is missing stays in state with a warning, although GET does not find it", async () => {
  const { agents, stack, id } = await createAssistant();
  const path = `${agents.basePath}/assistants/${id}`;
  await agents.addFault({ method: "GET", path, status: 404, body: { detail: "Graph not found" }, times: 9 });
  expect(await stack.refresh()).toBe("same");
  expect(stack.messages).toEqual([
    `warn: graphId: the agent server no longer has the graph "echo", so assistant ${id} cannot run. It ` +
      "still exists, and stays in state. Declare another graph, or deploy a revision that has this one.",
  ]);
});

it("a server without assistants says so", async () => {
  const agents = await startAssistants({ without: ["assistants-create", "assistants-search"] });
  await expect(agents.assistantStack().up(agents.assistantInputs())).rejects.toThrow("does not support assistants");
});

it("an Assistant is created while its server computes the schemas, and later ones do not wait", async () => {
  const agents = await startAssistants();
  const requested: string[] = [];
  const isIgnored = (url: string) => url.endsWith("/schemas") && requested.push(url) > 0;
  const proxy = await startRewritingProxy(agents, (deployment) => deployment, { isIgnored });
  let waits = 0;
  const deadline = (ms: number) => AbortSignal.timeout(ms === 2000 ? ++waits : ms);
  const clock = Object.assign(Object.create(proxy.clock) as typeof proxy.clock, { deadline });
  const config = { agentOrigins: JSON.stringify([proxy.url]) };
  const run = new RunState();
  for (const name of ["first", "second"]) {
    const stack = new Stack({ ...proxy, clock }, { kind: "Assistant", name, config });
    const deploymentUrl = proxy.url + agents.basePath;
    await stack.up(agents.assistantInputs({ deploymentId: undefined, deploymentUrl }), stack.host({}, run));
    expect(stack.messages).toEqual([]);
  }
  expect([requested.length, waits]).toEqual([1, 1]);
});
