import { startAgent, unknownId } from "../../support/agent-server";

const path = `/assistants/${unknownId}`;

describe("the versions of an assistant", () => {
  // @covers 4B.PATCH /assistants/{assistant_id}
  test("are made by every PATCH that is not refused, also by an empty one", async () => {
    const agent = await startAgent({ strict: true });
    await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo", metadata: { a: { x: 1 } } });
    for (const [body, status, version] of [
      [{}, 200, 2],
      [{ name: "" }, 200, 3],
      [{ description: null }, 422, 3],
      [{ graph_id: "missing" }, 404, 3],
      [undefined, 422, 3],
      [{ metadata: { a: { y: 1 }, b: null } }, 200, 4],
      [{ description: "Text", graph_id: "counter" }, 200, 5],
    ] as const) {
      const response = await agent.call("PATCH", path, body);
      expect([body, response.status]).toEqual([body, status]);
      expect((await agent.call("GET", path)).body.version).toBe(version);
    }
    expect((await agent.call("GET", path)).body).toMatchObject({
      name: "",
      description: "Text",
      graph_id: "counter",
      metadata: { a: { y: 1 }, b: null },
    });
  });

  // @covers 2B.Assistant.metadata, 10B.assistant-metadata
  test("number concurrent PATCHes, and every key is merged", async () => {
    const agent = await startAgent({ strict: true });
    await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo" });
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const responses = await Promise.all(keys.map((key) => agent.call("PATCH", path, { metadata: { [key]: 1 } })));
    expect(responses.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Object.keys((await agent.call("GET", path)).body.metadata).sort()).toEqual(keys);
  });

  // @covers 4B.POST /assistants/{assistant_id}/versions
  test("are listed newest first, without updated_at; an empty page is 404", async () => {
    const agent = await startAgent({ strict: true });
    const { body } = await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo" });
    for (const n of [2, 3]) await agent.call("PATCH", path, { metadata: { n } });
    const list = async (query: object) => {
      const response = await agent.call("POST", `${path}/versions`, query);
      return response.status === 200 ? response.list.map(({ version }) => version) : response.status;
    };
    expect(await list({})).toEqual([3, 2, 1]);
    expect(await list({ limit: 1, offset: 1 })).toEqual([2]);
    expect(await list({ metadata: { n: 2 } })).toEqual([2]);
    expect(await list({ offset: 3 })).toBe(404);
    expect(await list({ limit: 1001 })).toBe(422);
    const [first] = (await agent.call("POST", `${path}/versions`, { offset: 2 })).list;
    expect([...Object.keys(first ?? {}), "updated_at"].sort()).toEqual(Object.keys(body).sort());
  });

  // @covers 4B.POST /assistants/{assistant_id}/latest
  test("become current with everything but graph_id and context, and the next PATCH counts from the highest", async () => {
    const agent = await startAgent({ strict: true });
    await agent.call("POST", "/assistants", {
      assistant_id: unknownId,
      graph_id: "echo",
      name: "one",
      description: "first",
      context: { n: 1 },
      metadata: { n: 1 },
    });
    const change = { graph_id: "counter", name: "two", description: "second", context: { n: 2 }, metadata: { n: 2 } };
    await agent.call("PATCH", path, change);
    for (const [body, status] of [
      [{ version: 3 }, 404],
      [{}, 404],
      [{ version: "one" }, 422],
      [{ version: 1 }, 200],
      [{ version: 1 }, 200],
    ] as const) {
      expect([body, (await agent.call("POST", `${path}/latest`, body)).status]).toEqual([body, status]);
    }
    const { body } = await agent.call("GET", path);
    const restored = { version: 1, name: "one", description: "first", metadata: { n: 1 } };
    expect(body).toMatchObject({ ...restored, graph_id: "counter", context: { n: 2 } });
    expect(body.config).toEqual({ configurable: { n: 1 } });
    expect((await agent.call("PATCH", path, {})).body).toMatchObject({ version: 3, name: "one" });
    expect((await agent.call("POST", `${path}/latest`, { version: 2 })).body.name).toBe("two");
  });
});
