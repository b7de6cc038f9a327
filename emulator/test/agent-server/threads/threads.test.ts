import { conversation, human, startThread } from "../../support/agent-server";

const id = "0b8f4d7e-6a0f-4c53-9d52-3a5c1f7e2b11";
const minute = 60_000;

test("creating a thread accepts any node of a user's own graph", async () => {
  const supersteps = [{ updates: [{ values: { messages: [human("Hi")] }, as_node: "my_node" }] }];
  const { agent, ...thread } = await startThread({ strict: true }, { metadata: { graph_id: "agent" }, supersteps });
  expect(thread.values.messages).toMatchObject([{ content: "Hi" }]);
});

// @covers 2B.Thread.updated_at, 2B.Thread.metadata:later, 4B.PATCH /threads/{thread_id}
test("a thread's metadata is found by its new values, not the old ones, and has the time of the change", async () => {
  const { agent, thread_id } = await startThread({ strict: true }, { metadata: { a: 1 } });
  await agent.advance(1000);
  const { body } = await agent.call("PATCH", `/threads/${thread_id}`, { metadata: { a: 2 } });
  expect(Date.parse(body.updated_at) - Date.parse(body.created_at)).toBe(1000);
  const count = async (a: number) => (await agent.call("POST", "/threads/count", { metadata: { a } })).body;
  expect([await count(1), await count(2)]).toEqual([0, 1]);
});

describe("a thread", () => {
  // @covers 4B.DELETE /threads/{thread_id}
  test("is found nowhere after its deletion", async () => {
    const { agent, thread_id } = await startThread(
      { strict: true },
      { metadata: { graph_id: "echo" }, supersteps: conversation },
    );
    expect((await agent.call("DELETE", `/threads/${thread_id}`)).status).toBe(204);
    expect((await agent.call("POST", `/threads/${thread_id}/state`, {})).status).toBe(404);
    expect((await agent.call("GET", `/threads/${thread_id}/runs`)).status).toBe(404);
    expect((await agent.call("POST", "/threads/search", {})).list).toEqual([]);
  });

  test("is deleted with its deployment", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, { thread_id: id });
    await agent.remove(`/v2/deployments/${agent.deploymentId}`);
    expect((await agent.call("GET", `/threads/${thread_id}`)).status).toBe(503);
    await agent.advance(5000);
    expect((await agent.call("GET", `/threads/${thread_id}`)).status).toBe(404);
  });
});

describe("the TTL of a thread", () => {
  // @covers 2B.Thread.ttl
  test.each([{}, { ttl: -1 }, { strategy: "delete" }])("never expires with a TTL of %j", async (ttl) => {
    const { agent, thread_id } = await startThread({ strict: true }, { ttl });
    await agent.advance(24 * 60 * minute);
    expect((await agent.call("GET", `/threads/${thread_id}?include=ttl`)).body).toMatchObject({
      ttl: { strategy: "delete", expires_at: null },
    });
  });

  // @covers 2B.Thread.ttl
  test("with the strategy delete, deletes it that many minutes after the request that set it", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, { ttl: { strategy: "delete", ttl: 10 } });
    const status = async () => (await agent.call("GET", `/threads/${thread_id}`)).status;
    await agent.advance(9 * minute);
    await agent.call("PATCH", `/threads/${thread_id}`, { metadata: { touched: true } });
    expect(await status()).toBe(200);
    await agent.advance(minute);
    expect(await status()).toBe(404);
  });

  // @covers 2B.Thread.ttl
  test("with the strategy keep_latest, deletes everything except the latest state", async () => {
    const ttl = { strategy: "keep_latest", ttl: 1 };
    const { agent, thread_id, values } = await startThread(
      { strict: true },
      { metadata: { graph_id: "echo" }, supersteps: conversation, ttl },
    );
    await agent.advance(minute);
    expect(await agent.history(thread_id)).toMatchObject([{ values, parent_checkpoint_id: null }]);
  });

  test("is not copied with the thread", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, { ttl: { strategy: "delete", ttl: 10 } });
    const copy = (await agent.call("POST", `/threads/${thread_id}/copy`)).body;
    await agent.advance(10 * minute);
    expect((await agent.call("GET", `/threads/${copy.thread_id}`)).status).toBe(200);
  });

  // @covers 2B.Thread.ttl:response, 4B.PATCH /threads/{thread_id}:ttl
  test("can be changed but not removed later, counts from then, and is returned on request alone", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const patch = (ttl: unknown) => agent.call("PATCH", `/threads/${thread_id}`, { ttl });
    await agent.advance(minute);
    expect((await patch({ ttl: 5 })).body).not.toHaveProperty("ttl");
    const { ttl, updated_at } = (await agent.call("GET", `/threads/${thread_id}?include=ttl`)).body as never as {
      ttl: { expires_at: string };
      updated_at: string;
    };
    expect(ttl).toMatchObject({ strategy: "delete", ttl_minutes: 5 });
    expect(Date.parse(ttl.expires_at) - Date.parse(updated_at)).toBe(5 * minute);
    expect((await patch(null)).status).toBe(422);
    expect((await agent.call("GET", `/threads/${thread_id}`)).body).not.toHaveProperty("ttl");
  });

  // @covers 2B.Thread.ttl:javascript, 4B.PATCH /threads/{thread_id}
  test("is accepted and ignored by the server in JavaScript, which requires metadata beside it", async () => {
    const { agent, thread_id } = await startThread({ strict: true, agentServer: "javascript" }, { ttl: { ttl: 5 } });
    const patch = async (body: object) => (await agent.call("PATCH", `/threads/${thread_id}`, body)).status;
    expect([await patch({ ttl: { ttl: 5 } }), await patch({ metadata: {}, ttl: null })]).toEqual([400, 200]);
    await agent.advance(10 * minute);
    expect((await agent.call("GET", `/threads/${thread_id}?include=ttl`)).body).not.toHaveProperty("ttl");
  });
});
