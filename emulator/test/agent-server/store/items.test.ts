import { agentOf, startAgent } from "../../support/agent-server";
import { createDeployment, docker, rolloutMs } from "../../support/emulator";

test("stored items belong to one deployment", async () => {
  const agent = await startAgent({ strict: true });
  const other = agentOf(agent, (await createDeployment(agent, docker("other"))).id);
  await agent.advance(rolloutMs);
  const item = { namespace: ["users", "1"], key: "k", value: { a: 1 } };
  expect((await agent.call("PUT", "/store/items", item)).status).toBe(204);
  const search = { namespace_prefix: [] };
  expect((await agent.call("POST", "/store/items/search", search)).body).toMatchObject({ items: [item] });
  expect((await other.call("POST", "/store/items/search", search)).body).toEqual({ items: [] });
});

describe("a search of stored items", () => {
  const namespace = ["users", "1"];
  const values = [
    { age: 1, name: "a", nested: { x: 1 } },
    { age: 2, name: "b", nested: { x: 2 } },
    { age: 3, name: "a", nested: { x: 3 } },
  ];

  const search = async (agentServer: "python" | "javascript", body: object): Promise<string[] | number> => {
    const agent = await startAgent({ strict: true, agentServer, speed: "instant" });
    for (const value of values)
      await agent.call("PUT", "/store/items", { namespace, key: String(value.age), value, index: ["name"], ttl: 5 });
    const response = await agent.call("POST", "/store/items/search", { namespace_prefix: namespace, ...body });
    const { items } = response.body as unknown as { items?: { key: string }[] };
    return items?.map(({ key }) => key) ?? response.status;
  };

  test.each<[object, string[], (string[] | number)?]>([
    [{ name: "a" }, ["1", "3"]],
    [{ age: { $gt: 1 } }, ["2", "3"]],
    [{ age: { $gte: 2, $lt: 3 } }, ["2"]],
    [{ age: { $lte: 2 }, name: { $ne: "a" } }, ["2"]],
    [{ name: { $eq: "a" } }, ["1", "3"]],
    [{ age: { $in: [1, 3] } }, ["1", "3"], 400],
    [{ age: { $nin: [1, 3] } }, ["2"], 400],
    [{ age: { $near: 1 } }, [], 400],
    [{ nested: { x: 2 } }, [], ["2"]],
  ])("compares fields as the filter %j says", async (filter, expected, python = expected) => {
    expect(await search("python", { filter })).toEqual(python);
    expect(await search("javascript", { filter })).toEqual(expected);
  });

  test("takes a limit of 0 for the default, and one of namespaces for none", async () => {
    expect(await search("python", { limit: 0 })).toHaveLength(3);
    const agent = await startAgent();
    await agent.call("PUT", "/store/items", { namespace, key: "k", value: {} });
    expect((await agent.call("POST", "/store/namespaces", { limit: 0 })).body).toEqual({ namespaces: [] });
  });

  test("of namespaces takes a star for any label", async () => {
    const agent = await startAgent();
    await agent.call("PUT", "/store/items", { namespace, key: "k", value: {} });
    const found = async (body: object) => (await agent.call("POST", "/store/namespaces", body)).body;
    for (const body of [{ prefix: ["*", "1"] }, { suffix: ["users", "*"] }])
      expect(await found(body)).toEqual({ namespaces: [namespace] });
    for (const body of [{ prefix: ["*", "2"] }, { prefix: ["*", "*", "*"] }])
      expect(await found(body)).toEqual({ namespaces: [] });
  });
});

test.each([
  ["PUT", "/store/items", { namespace: ["a"], key: "k", value: {}, index: "name" }, 422],
  ["PUT", "/store/items", { namespace: ["a"], key: "k", value: {}, index: true }, 422],
  ["DELETE", "/store/items", { namespace: ["a.b"], key: "k" }, 422],
  ["POST", "/store/items/search", { namespace_prefix: ["a.b"] }, 422],
  ["POST", "/store/namespaces", { suffix: [""] }, 422],
  ["GET", "/store/items?namespace=a", undefined, 400],
  ["GET", "/store/items?key=a", undefined, 422],
])("%s %s with %j is rejected", async (method, path, body, status) => {
  expect((await (await startAgent()).call(method, path, body)).status).toBe(status);
});
