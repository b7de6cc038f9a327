import { type Agent, human, startAgent } from "../../support/agent-server";

const search = async (agent: Agent, body: object) => (await agent.call("POST", "/threads/search", body)).list;
const searchIds = async (agent: Agent, body: object) => (await search(agent, body)).map(({ thread_id }) => thread_id);

/** Creates threads one second apart, and returns their IDs, oldest first. */
async function createThreads(agent: Agent, bodies: object[]): Promise<string[]> {
  const threadIds: string[] = [];
  for (const body of bodies) {
    threadIds.push((await agent.thread(body)).thread_id);
    await agent.advance(1000);
  }
  return threadIds;
}

const numberedThreads = (count: number) => Array.from({ length: count }, (_, n) => ({ metadata: { n } }));

// @covers 4B.POST /threads/search:limit, 8:threads
test("a page of a search returns ten threads by default, newest first", async () => {
  const agent = await startAgent({ strict: true });
  const threadIds = (await createThreads(agent, numberedThreads(12))).reverse();
  expect(await searchIds(agent, {})).toEqual(threadIds.slice(0, 10));
  expect(await searchIds(agent, { limit: 1000 })).toEqual(threadIds);
  expect(await searchIds(agent, { limit: 3, offset: 10 })).toEqual(threadIds.slice(10));
});

describe("the filters of a search", () => {
  // @covers 4B.POST /threads/search:status, 4B.POST /threads/search:more
  test("are a status, IDs and values, all of which must match", async () => {
    const agent = await startAgent({ strict: true });
    const [idle, interrupted] = await createThreads(agent, [
      { metadata: { graph_id: "echo" } },
      { metadata: { graph_id: "echo" } },
    ]);
    const update = { values: { topic: "cats", tags: ["a", "b"], messages: [human("Hi")] }, as_node: "__start__" };
    await agent.call("POST", `/threads/${interrupted}/state`, update);
    expect(await searchIds(agent, { status: "interrupted" })).toEqual([interrupted]);
    expect(await searchIds(agent, { status: "busy" })).toEqual([]);
    expect(await searchIds(agent, { ids: [idle] })).toEqual([idle]);
    expect(await searchIds(agent, { ids: [] })).toEqual([interrupted, idle]);
    expect(await searchIds(agent, { values: { tags: ["b"], messages: [{ content: "Hi" }] } })).toEqual([interrupted]);
    expect(await searchIds(agent, { values: { topic: "dogs" } })).toEqual([]);
    expect(await searchIds(agent, { values: { topic: "cats" }, ids: [idle] })).toEqual([]);
  });

  // @covers 2B.Thread.metadata:filter, 4B.POST /threads/search:metadata
  test.each([
    ["a number as a text", { list: ["1", { a: 1, b: 2 }] }, false],
    ["a text with quotes and dots", { 'odd."key"': "quote ' 100% [ok]" }, true],
    ["a list", { list: [1, { b: 2, a: 1 }] }, true],
    ["a part of a list", { list: [1] }, false],
    ["a list with a part of an object", { list: [1, { a: 1 }] }, false],
    ["a list in another order", { list: [{ a: 1, b: 2 }, 1] }, false],
    ["a part of an object", { nested: {} }, true],
    ["an object for a list", { list: {} }, false],
    ["null", { nested: { a: null } }, true],
    ["null for what is missing", { nested: { b: null } }, false],
  ])("match metadata against %s, %j: %s", async (_, metadata, isMatch) => {
    const agent = await startAgent({ strict: true });
    await agent.thread({
      metadata: { list: [1, { a: 1, b: 2 }], nested: { a: null }, 'odd."key"': "quote ' 100% [ok]" },
    });
    expect(await search(agent, { metadata })).toHaveLength(isMatch ? 1 : 0);
  });

  // @covers 4B.POST /threads/count
  test("have pages and a count where they compare lists", async () => {
    const agent = await startAgent({ strict: true });
    const metadata = { list: [1] };
    const [, second] = await createThreads(agent, [{ metadata }, { metadata }, { metadata }, {}]);
    expect(await searchIds(agent, { metadata, limit: 1, offset: 1 })).toEqual([second]);
    expect((await agent.call("POST", "/threads/count", { metadata })).body).toBe(3);
  });
});
