/** What published agent SDKs send besides the requests that are recorded. */
import { type Agent, conversation, human, startAgent, startThread, unknownId } from "../../support/agent-server";

const withHistory = { metadata: { graph_id: "echo", team: "a" }, supersteps: conversation };

describe("a search of threads with extract", () => {
  const search = (agent: Agent, body: object) => agent.call("POST", "/threads/search", body);

  // @covers 4B.POST /threads/search:more
  test("returns the values at the paths, and null where there is none", async () => {
    const agent = await startAgent({ strict: true });
    await agent.thread(withHistory);
    const extract = {
      last: "values.messages[-1].content",
      first: "values.messages[0].type",
      team: "metadata.team",
      none: "values.messages[9].content",
      hidden: "metadata.__proto__",
    };
    const { list } = await search(agent, { extract, select: ["status"] });
    const extracted = { last: "Hello, you", first: "human", team: "a", none: null, hidden: null };
    expect(list).toEqual([{ status: "idle", extracted }]);
  });

  test.each([
    ["another field", { a: "kwargs.b" }],
    ["a name that is not one", { "a-b": "values.b" }],
    ["the name of a field", { status: "values.b" }],
    ["too many", Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`n${n}`, "values.b"]))],
  ])("rejects paths to %s", async (_, extract) => {
    expect((await search(await startAgent(), { extract })).status).toBe(422);
  });
});

describe("the history of a thread", () => {
  // @covers 4B.GET /threads/{thread_id}/history
  test("is read by GET with any limit", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, withHistory);
    const history = await agent.history(thread_id);
    const read = async (query: string) => (await agent.call("GET", `/threads/${thread_id}/history${query}`)).list;
    expect(await read("?limit=-1")).toEqual([]);
    for (const limit of ["1001", "9223372036854775808"]) expect(await read(`?limit=${limit}`)).toEqual(history);
  });

  test("of a checkpoint is that checkpoint", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, withHistory);
    const [, second] = await agent.history(thread_id);
    const body = { limit: 10, checkpoint: second?.checkpoint };
    expect((await agent.call("POST", `/threads/${thread_id}/history`, body)).list).toEqual([second]);
  });
});

test("the state of a thread is read with the query that clients send, also by a strict server", async () => {
  const { agent, thread_id } = await startThread({ strict: true }, withHistory);
  const state = await agent.state(thread_id);
  for (const path of ["state", `state/${state.checkpoint_id}`])
    expect((await agent.call("GET", `/threads/${thread_id}/${path}?subgraphs=false`)).body).toMatchObject(state);
});

test("an update that asks for a minimal response gets none from a Python server", async () => {
  const update = async (agent: Agent) => {
    const { thread_id } = await agent.thread();
    const headers = { prefer: "return=minimal" };
    const response = await agent.call("PATCH", `/threads/${thread_id}`, { metadata: { a: 1 } }, headers);
    expect((await agent.call("GET", `/threads/${thread_id}`)).body.metadata).toEqual({ a: 1 });
    return response.status;
  };
  expect(await update(await startAgent({ strict: true }))).toBe(204);
  expect(await update(await startAgent({ strict: true, agentServer: "javascript" }))).toBe(200);
});

describe("a request to an agent server", () => {
  const head = ({ emulator, deploymentId }: Agent, path: string) =>
    fetch(`${emulator.urls.controlPlane}/agents/${deploymentId}${path}`, { method: "HEAD" });

  test("may be HEAD wherever it may be GET", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    for (const path of ["/ok", "/info", `/threads/${thread_id}`, `/threads/${thread_id}/stream`]) {
      const response = await head(agent, path);
      expect({ path, status: response.status, body: await response.text() }).toEqual({ path, status: 200, body: "" });
    }
    expect((await head(agent, `/threads/${unknownId}`)).status).toBe(404);
    expect((await head(agent, "/threads")).status).toBe(405);
  });

  test("is JSON for a Python server, whatever its content type says", async () => {
    const send = (agent: Agent) =>
      agent.call("POST", "/threads", { metadata: { a: 1 } }, { "content-type": "application/x-www-form-urlencoded" });
    expect((await send(await startAgent())).body.metadata).toEqual({ a: 1 });
    expect((await send(await startAgent({ agentServer: "javascript" }))).status).toBe(400);
  });

  test("may contain megabytes, such as an image in a message", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    const image = "i".repeat(3_000_000);
    const run = { assistant_id: "echo", input: { messages: [human(image)] } };
    expect((await agent.call("POST", `/threads/${thread_id}/runs`, run)).status).toBe(200);
    expect((await agent.state(thread_id)).values.messages?.[0]?.content).toHaveLength(image.length);
  });
});
