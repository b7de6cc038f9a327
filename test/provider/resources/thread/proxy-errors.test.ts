/** Errors of a proxy that look like a missing route of the agent server. */
import { stateOf } from "../../../support/stack";
import { type AgentPlatform, createThread, listThreadIds } from "../../../support/threads";

const sales = { metadata: { graph_id: "echo", team: "sales" } };

describe.each([404, 405, 501])("a %i of a proxy", (status) => {
  const stray = (agents: AgentPlatform, method: string, times = 1) =>
    agents.emulator.faults.add({ method, path: `${agents.basePath}/threads/*`, status, times, body: "<h1>nginx</h1>" });

  it("that occurs once does not count as a missing delete route", async () => {
    const { agents, stack } = await createThread();
    await stray(agents, "DELETE");
    await stack.destroy();
    expect(await listThreadIds(agents)).toEqual([]);
    expect(stack.messages).toEqual([]);
  });

  it("that occurs once does not count as a missing update route", async () => {
    const { agents, stack, id } = await createThread();
    await stray(agents, "PATCH");
    expect(await stack.up(agents.threadInputs(sales))).toBe("update");
    expect((await agents.getThread(id)).metadata).toMatchObject({ team: "sales" });
    expect(stateOf(stack).outputs).not.toHaveProperty("__routes");
  });

  it("that lasts half a minute loses no history, and is forgotten with the next update", async () => {
    const { agents, stack, id } = await createThread();
    await stray(agents, "PATCH", 5);
    await expect(stack.up(agents.threadInputs(sales))).rejects.toThrow("cannot change threads");
    expect(stateOf(stack).outputs).toMatchObject({ __routes: ["threads-patch"] });
    expect(await stack.up(agents.threadInputs(sales))).toBe("update");
    expect(stateOf(stack).outputs).not.toHaveProperty("__routes");
    expect(await listThreadIds(agents)).toEqual([id]);
  });

  it("that persists counts as a missing route, and a deleted thread counts as deleted", async () => {
    const { agents, stack } = await createThread();
    const deleted = agents.stack({ name: "gone" });
    await deleted.up(agents.threadInputs());
    await agents.callAgentServer("DELETE", `/threads/${stateOf(deleted).id}`);
    await stray(agents, "DELETE", 100);
    await stack.destroy();
    expect(stack.messages.join()).toContain("does not support deletion");
    await deleted.destroy();
    expect(deleted.messages).toEqual([]);
  });
});
