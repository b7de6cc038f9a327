import { startAgent } from "../../support/agent-server";

const names = ["Nightly 100%", "nightly_2", "Daily"];

// @covers 4B.POST /assistants/search:filter, 4B.POST /assistants/count
test("a search finds assistants by a part of the name and by metadata", async () => {
  const agent = await startAgent({ strict: true });
  for (const [index, name] of names.entries()) {
    const metadata = { team: { name: "a" }, index, empty: null };
    await agent.call("POST", "/assistants", { graph_id: index === 2 ? "counter" : "echo", name, metadata });
    await agent.advance(1000);
  }
  for (const [filter, found] of [
    [{ name: "%" }, [0]],
    [{ name: "_" }, [1]],
    [{ metadata: { team: { name: "a" }, empty: null } }, [2, 1, 0]],
    [{ metadata: { index: "1" } }, []],
    [{ metadata: { team: {} }, sort_order: "asc" }, [2, 1, 0]],
    [{ metadata: { team: {} }, sort_by: "graph_id" }, [0, 1, 2]],
  ] as const) {
    const { list } = await agent.call("POST", "/assistants/search", filter);
    expect([filter, list.map(({ name }) => names.indexOf(name))]).toEqual([filter, found]);
    const { sort_by, sort_order, ...countable } = filter as Record<string, unknown>;
    expect((await agent.call("POST", "/assistants/count", countable)).body).toBe(found.length);
  }
});
