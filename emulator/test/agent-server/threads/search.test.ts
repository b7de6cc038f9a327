import fc from "fast-check";
import { type Agent, human, startAgent } from "../../support/agent-server";

const search = async (agent: Agent, body: object) => (await agent.call("POST", "/threads/search", body)).list;
const ids = async (agent: Agent, body: object) => (await search(agent, body)).map(({ thread_id }) => thread_id);

/** Threads a second apart, oldest first. */
async function threads(agent: Agent, bodies: object[]): Promise<string[]> {
  const made: string[] = [];
  for (const body of bodies) {
    made.push((await agent.thread(body)).thread_id);
    await agent.advance(1000);
  }
  return made;
}

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ metadata: { n } }));

describe("a page of a search", () => {
  // @covers 4B.POST /threads/search:limit, 8:threads
  test("returns ten threads by default, newest first", async () => {
    const agent = await startAgent({ strict: true });
    const made = (await threads(agent, many(12))).reverse();
    expect(await ids(agent, {})).toEqual(made.slice(0, 10));
    expect(await ids(agent, { limit: 1000 })).toEqual(made);
    expect(await ids(agent, { limit: 3, offset: 10 })).toEqual(made.slice(10));
  });

  // @covers 4B.POST /threads/search
  test("comes without a body too", async () => {
    const agent = await startAgent({ strict: true });
    const made = await threads(agent, many(1));
    const reply = await agent.call("POST", "/threads/search");
    expect(reply.list.map(({ thread_id }) => thread_id)).toEqual(made);
  });

  test("shows only the fields that select names", async () => {
    const agent = await startAgent({ strict: true });
    const [thread_id] = await threads(agent, many(1));
    expect(await search(agent, { select: ["thread_id", "metadata"] })).toEqual([{ thread_id, metadata: { n: 0 } }]);
    const wrong = await agent.call("POST", "/threads/search", { select: ["nothing"] });
    expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringContaining("body.select.0") } });
  });
});

describe("the order of a search", () => {
  // @covers 4B.POST /threads/search:sort
  test.each(["thread_id", "status", "created_at", "updated_at", "state_updated_at"] as const)(
    "is by %s, both ways",
    async (sort_by) => {
      const agent = await startAgent({ strict: true });
      const graph = { metadata: { graph_id: "echo" } };
      const [first, second] = await threads(agent, [graph, graph, graph, graph]);
      await agent.call("PATCH", `/threads/${first}`, { metadata: { touched: true } });
      await agent.advance(1000);
      await agent.call("POST", `/threads/${second}/state`, { values: {}, as_node: "__start__" });
      const up = (await search(agent, { sort_by, sort_order: "asc" })).map((thread) => thread[sort_by]);
      expect(up).toEqual([...up].sort());
      expect((await search(agent, { sort_by, sort_order: "desc" })).map((thread) => thread[sort_by])).toEqual(
        up.reverse(),
      );
    },
  );
});

describe("the parameters of a search", () => {
  // @covers 4B.POST /threads/search:status, 4B.POST /threads/search:sort
  test.each([
    ["status", ["idle", "busy", "interrupted", "error"], "done"],
    ["sort_by", ["thread_id", "status", "created_at", "updated_at"], "name"],
    ["sort_order", ["asc", "desc"], "up"],
  ])("are those of %s: %j, and not %s", async (field, words, other) => {
    const agent = await startAgent({ strict: true });
    const ask = (word: string) => agent.call("POST", "/threads/search", { [field]: word });
    for (const word of words) expect((await ask(word)).status).toBe(200);
    expect(await ask(other)).toMatchObject({ status: 422, body: { detail: expect.stringContaining(`body.${field}`) } });
  });
});

describe("the filters of a search", () => {
  // @covers 4B.POST /threads/search:status
  test("are a status, ids and values, and all of them have to match", async () => {
    const agent = await startAgent({ strict: true });
    const [idle, waiting] = await threads(agent, [
      { metadata: { graph_id: "echo" } },
      { metadata: { graph_id: "echo" } },
    ]);
    const update = { values: { topic: "cats", tags: ["a", "b"], messages: [human("Hi")] }, as_node: "__start__" };
    await agent.call("POST", `/threads/${waiting}/state`, update);
    expect(await ids(agent, { status: "interrupted" })).toEqual([waiting]);
    expect(await ids(agent, { status: "busy" })).toEqual([]);
    expect(await ids(agent, { ids: [idle] })).toEqual([idle]);
    expect(await ids(agent, { ids: [] })).toEqual([]);
    expect(await ids(agent, { values: { tags: ["b"], messages: [{ content: "Hi" }] } })).toEqual([waiting]);
    expect(await ids(agent, { values: { topic: "dogs" } })).toEqual([]);
    expect(await ids(agent, { values: { topic: "cats" }, ids: [idle] })).toEqual([]);
  });

  // @covers 2B.Thread.metadata:filter, 4B.POST /threads/search:metadata
  test.each([
    ["a part of an object", { a: { x: 1 } }, true],
    ["an empty object", { a: {} }, true],
    ["another value", { a: { x: 2 } }, false],
    ["elements of a list in any order", { list: [3, 1] }, true],
    ["an element that is not in the list", { list: [4] }, false],
    ["fields of one element", { people: [{ name: "Ann", age: 3 }] }, true],
    ["fields of two elements, as if of one", { people: [{ name: "Ann", age: 4 }] }, false],
    ["null", { nothing: null }, true],
    ["null for a key that is missing", { missing: null }, false],
    ["a number as a text", { list: ["1"] }, false],
    ["a text with quotes and dots", { 'odd."key"': "it's 100% [ok]" }, true],
    ["nothing at all", {}, true],
  ])("find metadata with %s: %j is %s", async (_, metadata, found) => {
    const agent = await startAgent({ strict: true });
    const people = [
      { name: "Ann", age: 3 },
      { name: "Bob", age: 4 },
    ];
    const whole = { a: { x: 1, y: 2 }, list: [1, 2, 3], people, nothing: null, 'odd."key"': "it's 100% [ok]" };
    await agent.thread({ metadata: whole });
    expect(await search(agent, { metadata })).toHaveLength(found ? 1 : 0);
  });
});

/** The same question, asked of the threads one by one: PostgreSQL's `@>`, as such servers match. */
function isIn(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item) => whole.some((other) => isIn(item, other)));
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
  return Object.entries(part).every(([key, value]) => key in whole && isIn(value, Reflect.get(whole, key)));
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

// @covers 2B.Thread.metadata:filter, 4B.POST /threads/search:metadata
test("a search and a count match a comparison with every thread", async () => {
  const agent = await startAgent({ strict: true });
  const made = fc.sample(metadata, { numRuns: 80, seed: 7 });
  for (const one of made) await agent.thread({ metadata: one });
  const all = await search(agent, { limit: 1000 });
  expect(all).toHaveLength(made.length);
  let matched = 0;
  const property = fc.asyncProperty(metadata, async (filter) => {
    const wanted = all.filter((thread) => isIn(filter, thread.metadata)).map(({ thread_id }) => thread_id);
    matched += wanted.length;
    expect(await ids(agent, { metadata: filter, limit: 1000 })).toEqual(wanted);
    expect(await ids(agent, { metadata: filter, limit: 3, offset: 1 })).toEqual(wanted.slice(1, 4));
    expect((await agent.call("POST", "/threads/count", { metadata: filter })).body).toBe(wanted.length);
  });
  await fc.assert(property, { numRuns: 150, seed: 11 });
  // A filter that never finds anything would prove nothing.
  expect(matched).toBeGreaterThan(300);
});
