/** The functions for assistants: their results, requests and errors, on both kinds of agent servers. */
import { defaultAssistantId } from "../../../provider/schema/id";
import { type AgentPlatform, startAgents } from "../../support/agents/threads";
import { failureOf } from "../../support/errors";
import { program } from "./program";

const none = "99999999-9999-4999-8999-999999999999";

/** Starts an agent server with these assistants of the graph `echo`, beside the default ones. */
async function startAssistants(names: readonly string[], ...[options]: Parameters<typeof startAgents>) {
  const agents = await startAgents(options);
  const ids: string[] = [];
  for (const name of names) {
    const body = { graph_id: "echo", name, context: { model_name: "small" }, metadata: { team_name: "support" } };
    ids.push(String((await create(agents, body)).assistant_id));
  }
  await agents.emulator.requestLog.clear();
  const { deploymentId } = agents;
  return { agents, ids, deploymentId, call: program(agents) };
}
const create = async (agents: AgentPlatform, body: object) =>
  (await agents.callAgentServer("POST", "/assistants", body)).body as unknown as Record<string, unknown>;
const namesOf = (assistants: { name: string }[]) => assistants.map(({ name }) => name);

it.each(["getAssistants", "getThreads"] as const)("%s names the object that it cannot read", async (name) => {
  const { agents, deploymentId, call } = await startAssistants([]);
  const body = [{ assistant_id: none, thread_id: none, metadata: "of another form" }];
  await agents.addFault({ path: "/agents/**/search", status: 200, body, times: 9 });
  await expect(call(name, { deploymentId })).rejects.toThrow(`It is about the item with ID ${none}: a newer version`);
});

describe("getAssistant", () => {
  it.each(["python", "javascript"] as const)(
    "returns an assistant by its ID or its name, with the user's keys unchanged (%s)",
    async (agentServer) => {
      const { ids, deploymentId, call } = await startAssistants(["concierge", "Concierge 2"], { agentServer });
      const result = await call("getAssistant", { deploymentId, assistantId: ids[0] });
      expect(result).toMatchObject({
        ...{ assistantId: ids[0], graphId: "echo", name: "concierge", version: 1, isDefault: false },
        ...{ context: { model_name: "small" }, metadata: { team_name: "support" } },
      });
      expect(result).not.toHaveProperty("description");
      expect(await call("getAssistant", { deploymentId, name: "concierge" })).toEqual(result);
      const assistantId = defaultAssistantId("echo");
      expect(await call("getAssistant", { deploymentId, assistantId })).toMatchObject({ isDefault: true });
    },
  );

  it("fails with the IDs when several have the name, unless the graph decides", async () => {
    const { agents, ids, deploymentId, call } = await startAssistants(["twice", "twice"]);
    const message = async (args: object) => (await failureOf(call("getAssistant", { deploymentId, ...args }))).message;
    expect(await message({ name: "twice" })).toMatch(
      new RegExp(`^Found 2 assistants with name "twice" \\(IDs: (${ids[0]}, ${ids[1]}|${ids[1]}, ${ids[0]})\\)`),
    );
    const other = await create(agents, { graph_id: "agent", name: "twice" });
    const result = await call("getAssistant", { deploymentId, name: "twice", graphId: "agent" });
    expect(result.assistantId).toBe(other.assistant_id);
  });

  it("fails with the closest names, and for an ID that does not exist or configures another graph", async () => {
    const { ids, deploymentId, call } = await startAssistants(["concierge"]);
    const message = async (args: object) => (await failureOf(call("getAssistant", { deploymentId, ...args }))).message;
    expect(await message({ name: "consierge" })).toMatch(
      /^No assistant with name "consierge" is visible to this API key\. Available: "concierge", /,
    );
    expect(await message({ assistantId: none })).toMatch(
      /^No assistant with ID 99999999-.* exists on the agent server at /,
    );
    expect(await message({ assistantId: ids[0], graphId: "agent" })).toBe(
      `Assistant ${ids[0]} configures the graph "echo", not "agent". Correct one of them.`,
    );
    expect(await message({ assistantId: ids[0], name: "concierge" })).toBe("specify only one of assistantId and name.");
    expect(await message({})).toBe("specify assistantId or name.");
  });
});

it("getAssistants filters by graph, part of the name and metadata, and marks those that the server made", async () => {
  const { deploymentId, call } = await startAssistants(["concierge", "Billing"]);
  const search = (args: object) => call("getAssistants", { deploymentId, ...args });
  expect(namesOf(await search({ graphId: "echo" })).sort()).toEqual(["Billing", "concierge", "echo"]);
  expect(namesOf(await search({ name: "BILL" }))).toEqual(["Billing"]);
  expect(await search({ metadata: { team_name: "support" } })).toHaveLength(2);
  expect(await search({ graphId: "unknown" })).toEqual([]);
  const defaults = (await search({})).filter(({ isDefault }: { isDefault: boolean }) => isDefault);
  expect(namesOf(defaults)).toContain("echo");
  expect(namesOf(defaults)).not.toContain("concierge");
});

// @covers 4B.PATCH /assistants/{assistant_id}
it("getAssistantVersions returns all versions, newest first, and fails for an unknown assistant", async () => {
  const { agents, ids, deploymentId, call } = await startAssistants(["concierge"]);
  for (let n = 0; n < 12; n++)
    await agents.callAgentServer("PATCH", `/assistants/${ids[0]}`, { context: { model_name: `model-${n}` } });
  const versions = await call("getAssistantVersions", { deploymentId, assistantId: ids[0] });
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([
    13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect(versions.at(-1)).toMatchObject({ context: { model_name: "small" } });
  await expect(call("getAssistantVersions", { deploymentId, assistantId: none })).rejects.toThrow(
    /^No assistant with ID 99999999/,
  );
});

it("getAssistantSchemas returns those of an assistant or of a graph, and fails for an unknown graph", async () => {
  const { ids, deploymentId, call } = await startAssistants(["concierge"]);
  const result = await call("getAssistantSchemas", { deploymentId, assistantId: ids[0] });
  expect(result).toMatchObject({ graphId: "echo", inputSchema: expect.any(Object) });
  expect(await call("getAssistantSchemas", { deploymentId, graphId: "echo" })).toEqual(result);
  await expect(call("getAssistantSchemas", { deploymentId, graphId: "ecko" })).rejects.toThrow(
    /^The agent server at \S+ has no graph "ecko"\. Did you mean "echo"\?$/,
  );
});

it("a function that is called with an unknown assistant or graph suggests the closest one", async () => {
  const { ids, deploymentId, call } = await startAssistants(["concierge"]);
  const message = async (name: "getAssistant" | "getAssistantVersions" | "getAssistantSchemas", args: object) =>
    (await failureOf(call(name, { deploymentId, ...args } as never))).message;
  const known = `It has "concierge" (${ids[0]}).`;
  for (const name of ["getAssistant", "getAssistantVersions", "getAssistantSchemas"] as const)
    expect(await message(name, { assistantId: none })).toContain(known);
  expect(await message("getAssistant", { name: "concierge", graphId: "ecko" })).toMatch(
    /^The agent server at \S+ has no graph "ecko"\. Did you mean "echo"\?$/,
  );
  expect(await message("getAssistant", { name: "concierge", graphId: "counter" })).toBe(
    'No assistant with name "concierge" is visible to this API key. Available: "counter".',
  );
});
