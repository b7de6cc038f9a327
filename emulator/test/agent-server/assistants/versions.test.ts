import { startAgent, unknownId } from "../../support/agent-server";

const path = `/assistants/${unknownId}`;

describe("the versions of an assistant", () => {
  // @covers 2B.Assistant.metadata, 10B.assistant-metadata
  test("number concurrent PATCHes, and every key is merged", async () => {
    const agent = await startAgent({ strict: true });
    await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo" });
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const responses = await Promise.all(keys.map((key) => agent.call("PATCH", path, { metadata: { [key]: 1 } })));
    expect(responses.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Object.keys((await agent.call("GET", path)).body.metadata).sort()).toEqual(keys);
  });

  // @covers 4B.POST /assistants/{assistant_id}/versions, 4B.POST /assistants/{assistant_id}/latest
  test("are found by their metadata, and become current more than once", async () => {
    const agent = await startAgent({ strict: true });
    await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo", name: "one" });
    for (const n of [2, 3]) await agent.call("PATCH", path, { name: `name ${n}`, metadata: { n } });
    const { list } = await agent.call("POST", `${path}/versions`, { metadata: { n: 2 } });
    expect(list.map(({ version }) => version)).toEqual([2]);
    expect((await agent.call("POST", `${path}/versions`, { limit: 1001 })).status).toBe(422);
    expect((await agent.call("POST", `${path}/latest`, { version: "one" })).status).toBe(422);
    for (const name of ["one", "one", "name 2"]) {
      const version = name === "one" ? 1 : 2;
      expect((await agent.call("POST", `${path}/latest`, { version })).body).toMatchObject({ version, name });
    }
  });
});
