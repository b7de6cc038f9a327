import { runMs, startAgent } from "../../support/agent-server";

describe("the status of a thread", () => {
  // @covers 2B.Thread.status, 3.Thread status, 3.item 3, 4B.POST /threads/search:status
  test.each([
    ["idle", "echo", runMs],
    ["busy", "echo", 0],
    ["interrupted", "interrupt", runMs],
    ["error", "failing", runMs],
  ])(
    "is %s after a run of %s and %d ms, and a search by that status finds it",
    async (status, assistant_id, elapsedMs) => {
      const agent = await startAgent({ strict: true });
      const { thread_id } = await agent.thread();
      await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id, input: {} });
      await agent.advance(elapsedMs);
      expect((await agent.call("GET", `/threads/${thread_id}`)).body.status).toBe(status);
      const { list } = await agent.call("POST", "/threads/search", { status });
      expect(list.map((thread) => thread.thread_id)).toEqual([thread_id]);
      const other = status === "idle" ? "busy" : "idle";
      expect((await agent.call("POST", "/threads/search", { status: other })).list).toEqual([]);
    },
  );

  // @covers 3.item 3
  test("is idle again after an error, once a run succeeds", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    const run = (assistant_id: string) => agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id, input: {} });
    await run("failing");
    await run("echo");
    expect((await agent.call("GET", `/threads/${thread_id}`)).body).toMatchObject({ status: "idle", error: null });
  });
});
