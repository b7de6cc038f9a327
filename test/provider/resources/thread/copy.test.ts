/** Copies of a thread: independent threads with the same history. */
import { type AgentPlatform, createSource, listThreadIds } from "../../../support/agents/threads";
import { failureOf } from "../../../support/errors";
import { expectClean, stateOf } from "../../../support/stack";

/** The history of a thread without its IDs and times. */
async function historyOf(agents: AgentPlatform, id: string) {
  const { body } = await agents.callAgentServer("POST", `/threads/${id}/history`, { limit: 100 });
  const states = body as unknown as { values: unknown; next: unknown; metadata: Record<string, unknown> }[];
  return states.map(({ values, next, metadata }) => [values, next, metadata.step, metadata.source, metadata.writes]);
}

// @covers 2B.Superstep:order, 3.5, 4B.POST /threads/{thread_id}/copy
it("a copy has the history of its source and changes independently", async () => {
  const { agents, copyFrom, copy, stack } = await createSource();
  expect(await stack.up(copy({ metadata: { audience: "testers" }, ttl: { ttl: 60 } }))).toBe("create");
  const { id } = stateOf(stack);
  const history = await historyOf(agents, copyFrom);
  expect(history).toHaveLength(3);
  expect(await historyOf(agents, id)).toEqual(history);
  expect(await agents.getThread(id)).toMatchObject({ metadata: { audience: "testers", team: "support" } });
  expect(await agents.ttlOf(id)).toMatchObject({ ttl_minutes: 60 });

  await agents.callAgentServer("POST", `/threads/${id}/state`, { values: { messages: [] }, as_node: "echo" });
  expect(await historyOf(agents, copyFrom)).toEqual(history);
  expect((await agents.getThread(copyFrom)).metadata).not.toHaveProperty("audience");
  await expectClean(stack, copy({ metadata: { audience: "testers" }, ttl: { ttl: 60 } }));
  await stack.destroy();
  expect(await listThreadIds(agents)).toEqual([copyFrom]);
});

// @covers 7:threads
it.each([
  ["409, as servers return it", undefined],
  ["404", { status: 404, body: { detail: "Thread not found" } }],
])("a copy of a thread that does not exist fails with an explanation (%s)", async (_status, fault) => {
  const { agents, copy, stack } = await createSource();
  const copyFrom = "12345678-1234-4234-8234-123456789abc";
  if (fault) await agents.addFault({ method: "POST", path: `${agents.basePath}/threads/*/copy`, ...fault });
  await expect(stack.up(copy({ copyFrom }))).rejects.toThrow(
    `copyFrom: no thread with ID ${copyFrom} exists at ${agents.url}${agents.basePath} (40`,
  );
  expect(stack.state).toBeUndefined();
});

describe("a copy whose metadata could not be set", () => {
  const team = { metadata: { team: "sales" }, ttl: { ttl: 60 } };

  it.each([
    ["the same program", team],
    ["the same program after a refresh", team],
    ["another key", { ...team, metadata: { team: "sales", audience: "testers" } }],
  ])("gets the metadata and its marker with the next up of %s", async (what, declared) => {
    const { agents, copy, stack } = await createSource();
    await agents.addFault({ method: "PATCH", path: `${agents.basePath}/threads/*`, status: 500 });
    await expect(stack.up(copy(team))).rejects.toThrow(": 500: ");
    const { id, failed, outputs } = stateOf(stack);
    expect([failed, outputs.metadata, outputs.ttl]).toEqual([true, {}, undefined]);
    if (what.endsWith("refresh")) await stack.refresh();
    expect(await stack.up(copy(declared))).toBe("update");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    expect(await agents.getThread(id)).toMatchObject({ metadata: { ...declared.metadata, pulumi_thread_id: id } });
    expect(await agents.ttlOf(id)).toMatchObject({ ttl_minutes: 60 });
    await expectClean(stack, copy(declared));
  });
});

describe("a copy request whose response was lost", () => {
  const loseResponse = (agents: AgentPlatform) =>
    ({ method: "POST", path: `${agents.basePath}/threads/*/copy`, connection: "reset-after" }) as const;

  it("fails with the ID of the only new copy and what to do, instead of adopting it", async () => {
    const { agents, copy, copyFrom, stack } = await createSource();
    const old = agents.stack({ name: "old" });
    await old.up(copy());
    await agents.advance(60_000);
    await agents.addFault(loseResponse(agents));
    const { message } = await failureOf(stack.up(copy()));
    const [left = ""] = (await listThreadIds(agents)).filter((id) => ![copyFrom, stateOf(old).id].includes(id));
    expect(message).toContain(`nothing shows who requested them: ${left}. If none is yours`);
    expect(message).toContain(`import: "${left}"`);
    expect(stack.state).toBeUndefined();
    expect(await stack.up(copy(), stack.host(), { __import: left })).toBe("create");
    expect(stateOf(stack).id).toBe(left);
    expect(await stack.up(copy())).toBe("same");
  });

  // @covers 10B.lost-copy
  it("fails with the IDs of all copies that were created at the same time", async () => {
    const { agents, copy, copyFrom, stack } = await createSource();
    await agents.callAgentServer("POST", `/threads/${copyFrom}/copy`);
    await agents.addFault(loseResponse(agents));
    const { message } = await failureOf(stack.up(copy()));
    const copies = (await listThreadIds(agents)).filter((id) => id !== copyFrom);
    expect(copies).toHaveLength(2);
    for (const id of copies) expect(message).toContain(id);
    expect(stack.state).toBeUndefined();
  });

  it("fails with what the next up does when the search for the copy fails as well", async () => {
    const { agents, copy, copyFrom, stack } = await createSource();
    const search = { method: "POST", path: `${agents.basePath}/threads/search` } as const;
    await agents.addFault(loseResponse(agents));
    await agents.addFault({ ...search, status: 403, body: { detail: "no" }, skip: 1, times: 1 });
    const { message } = await failureOf(stack.up(copy()));
    const [left = ""] = (await listThreadIds(agents)).filter((id) => id !== copyFrom);
    expect(message).toContain(
      "Could not determine whether it was created (POST /threads/search: 403: no). Run `pulumi up` again: it " +
        "creates another copy, and warns about this one if it can recognize it as a copy.",
    );
    await stack.up(copy());
    expect(stack.messages.join()).toContain(`: ${left}. If nobody`);
  });

  it.each([
    ["with the ownership marker of a resource", undefined, {}],
    ["with other metadata", { metadata: { team: "sales" } }, {}],
    ["without metadata", {}, {}],
    ["without an ownership marker, as ownerMarker says,", { metadata: {} }, { ownerMarker: "false" }],
  ])("fails with the ID of the copy of a source %s that cannot be read", async (_what, body, settings) => {
    const { agents, copy, copyFrom: managed, stack } = await createSource();
    const copyFrom = body ? (await agents.callAgentServer("POST", "/threads", body)).body.thread_id : managed;
    await agents.advance(60_000);
    const before = await listThreadIds(agents);
    const path = `${agents.basePath}/threads/${copyFrom}`;
    await agents.addFault({ method: "POST", path: `${path}/copy`, status: 200, act: true, body: {} });
    await agents.addFault({ method: "GET", path, status: 403, body: { detail: "no" }, times: 1 });
    const { message } = await failureOf(stack.up(copy({ copyFrom }), stack.host(settings)));
    const [left = ""] = (await listThreadIds(agents)).filter((id) => !before.includes(id));
    expect(message).toContain(`nothing shows who requested them: ${left}. If none is yours`);
  });
});

it("ten concurrent copies of one thread become ten threads", async () => {
  const { agents, copy } = await createSource();
  const host = agents.stack().host();
  const stacks = Array.from({ length: 10 }, (_, index) => agents.stack({ name: `copy-${index}` }));
  const path = `${agents.basePath}/threads/*/copy`;
  await agents.addFault({ method: "POST", path, connection: "reset-after", times: 4 });
  await Promise.allSettled(stacks.map((stack) => stack.up(copy(), host)));
  expect(stacks.filter(({ state }) => !state)).toHaveLength(4);
  await Promise.all(stacks.map((stack) => stack.up(copy(), host)));
  expect(new Set(stacks.map((stack) => stateOf(stack).id)).size).toBe(10);
  // Nothing manages the copies whose response was lost.
  expect(await listThreadIds(agents)).toHaveLength(11 + 4);
});
