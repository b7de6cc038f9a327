import { type Agent, startAgent } from "../../support/agent-server";

const names = ["Nightly 100%", "nightly_2", "Daily"];

async function startWithAssistants(): Promise<Agent> {
  const agent = await startAgent({ strict: true });
  for (const [index, name] of names.entries()) {
    const metadata = { team: { name: "a" }, list: [1, 2], index, empty: null };
    await agent.call("POST", "/assistants", { graph_id: index === 2 ? "counter" : "echo", name, metadata });
    await agent.advance(1000);
  }
  return agent;
}

// @covers 4B.POST /assistants/search:filter, 4B.POST /assistants/count
test("a search finds assistants by graph, by a part of the name and by metadata", async () => {
  const agent = await startWithAssistants();
  for (const [filter, found] of [
    [{ name: "NIGHT" }, [1, 0]],
    [{ name: "%" }, [0]],
    [{ name: "_" }, [1]],
    [{ graph_id: "counter", metadata: { team: {} } }, [2]],
    [{ metadata: { team: { name: "a" }, empty: null } }, [2, 1, 0]],
    [{ metadata: { index: "1" } }, []],
    [{ metadata: { list: [1, 2] } }, [2, 1, 0]],
    [{ metadata: { list: [1] } }, []],
    [{ metadata: { team: {} }, sort_order: "asc" }, [2, 1, 0]],
    [{ metadata: { team: {} }, sort_by: "created_at", sort_order: "asc" }, [0, 1, 2]],
    [{ metadata: { team: {} }, sort_by: "name" }, [1, 0, 2]],
    [{ metadata: { team: {} }, sort_by: "graph_id" }, [0, 1, 2]],
    [{ metadata: { team: {} }, limit: 1, offset: 1 }, [1]],
  ] as const) {
    const { list } = await agent.call("POST", "/assistants/search", filter);
    expect([filter, list.map(({ name }) => names.indexOf(name))]).toEqual([filter, found]);
    const { limit, offset, sort_by, sort_order, ...countable } = filter as Record<string, unknown>;
    if (limit !== undefined) continue;
    expect((await agent.call("POST", "/assistants/count", countable)).body).toBe(found.length);
  }
});

test("a search checks its offset and its order, and is not a GET", async () => {
  const agent = await startAgent({ strict: true });
  for (const [body, status] of [
    [{ offset: -1 }, 422],
    [{ sort_order: "ASC" }, 422],
  ] as const) {
    expect([body, (await agent.call("POST", "/assistants/search", body)).status]).toEqual([body, status]);
  }
  expect((await agent.call("GET", "/assistants")).status).toBe(405);
});

// @covers 4B.POST /assistants/search:pages
test("a page has ten assistants by default, and headers that lead to the next one", async () => {
  const agent = await startAgent({ strict: true });
  const defaults = Number((await agent.call("POST", "/assistants/count", {})).body);
  for (let n = defaults; n < 21; n++) await agent.call("POST", "/assistants", { graph_id: "echo" });
  const page = async (offset: number) => {
    const { list, headers } = await agent.call("POST", "/assistants/search", { offset });
    return [list.length, headers.get("x-pagination-total"), headers.get("x-pagination-next")];
  };
  expect(await page(0)).toEqual([10, "11", "10"]);
  expect(await page(11)).toEqual([10, "21", null]);
  expect(await page(20)).toEqual([1, "21", null]);
});
