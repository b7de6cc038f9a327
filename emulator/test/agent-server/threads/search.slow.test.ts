import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
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
    ["a number as a text", { list: ["1"] }, false],
    ["a text with quotes and dots", { 'odd."key"': "quote ' 100% [ok]" }, true],
  ])("match metadata against %s, %j: %s", async (_, metadata, isMatch) => {
    const agent = await startAgent({ strict: true });
    await agent.thread({ metadata: { list: [1], 'odd."key"': "quote ' 100% [ok]" } });
    expect(await search(agent, { metadata })).toHaveLength(isMatch ? 1 : 0);
  });
});

/** Whether a JSON value contains another one, as the server in Python defines it: lists must be equal. */
function containsJson(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) return isDeepStrictEqual(part, whole);
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
  return Object.entries(part).every(([key, value]) => key in whole && containsJson(value, Reflect.get(whole, key)));
}

// Few words, so that filters often match.
const word = fc.constantFrom("a", "b", "");
const leaf = fc.oneof(word, fc.constantFrom(0, 1, true, false, null));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(word, tie("value"), { maxKeys: 2 }),
  ),
}));
const metadata = fc.dictionary(word, value, { maxKeys: 3 });

// @covers 2B.Thread.metadata:filter, 4B.POST /threads/search:metadata, 4B.POST /threads/count
test("a search and a count match a comparison with every thread", async () => {
  const agent = await startAgent({ strict: true });
  const samples = fc.sample(metadata, { numRuns: 80, seed: 7 });
  for (const sample of samples) await agent.thread({ metadata: sample });
  const all = await search(agent, { limit: 1000 });
  expect(all).toHaveLength(samples.length);
  let matched = 0;
  const property = fc.asyncProperty(metadata, async (filter) => {
    const expectedIds = all.filter((thread) => containsJson(filter, thread.metadata)).map(({ thread_id }) => thread_id);
    matched += expectedIds.length;
    expect(await searchIds(agent, { metadata: filter, limit: 1000 })).toEqual(expectedIds);
    expect(await searchIds(agent, { metadata: filter, limit: 3, offset: 1 })).toEqual(expectedIds.slice(1, 4));
    expect((await agent.call("POST", "/threads/count", { metadata: filter })).body).toBe(expectedIds.length);
  });
  await fc.assert(property, { numRuns: 150, seed: 11 });
  // Filters that match nothing would prove nothing.
  expect(matched).toBeGreaterThan(2 * samples.length);
});
