/** Copies: independent threads with the same history. */
import { failureOf } from "../../../support/errors";
import { heldBy } from "../../../support/stack";
import { type Agents, listThreadIds, startAgents, step } from "../../../support/threads";

const say = (content: string) => step({ messages: [{ role: "user", content }] });

/** A source with three steps, and what copies of it declare. */
async function createSource() {
  const agents = await startAgents();
  const source = agents.stack({ name: "source" });
  await source.up(agents.thread({ supersteps: [say("one"), say("two"), say("three")] }));
  await agents.emulator.journal.clear();
  const copyFrom = heldBy(source).id;
  const copy = (change = {}) => ({ deploymentId: agents.deploymentId, copyFrom, ...change });
  return { agents, source, copyFrom, copy, stack: agents.stack({ name: "copy" }) };
}

/** What a history says, apart from whose it is and when. */
async function historyOf(agents: Agents, id: string) {
  const { body } = await agents.ask("POST", `/threads/${id}/history`, { limit: 100 });
  const states = body as unknown as { values: unknown; next: unknown; metadata: Record<string, unknown> }[];
  return states.map(({ values, next, metadata }) => [values, next, metadata.step, metadata.source, metadata.writes]);
}

// @covers 2B.Superstep:order, 3.5, 4B.POST /threads/{thread_id}/copy
it("has the history of its source, and a life of its own", async () => {
  const { agents, copyFrom, copy, stack } = await createSource();
  expect(await stack.up(copy({ metadata: { audience: "testers" }, ttl: { ttl: 60 } }))).toBe("create");
  const { id } = heldBy(stack);
  const history = await historyOf(agents, copyFrom);
  expect(history).toHaveLength(3);
  expect(await historyOf(agents, id)).toEqual(history);
  expect(await agents.one(id)).toMatchObject({ metadata: { audience: "testers", team: "support" }, ttl: { ttl: 60 } });

  await agents.ask("POST", `/threads/${id}/state`, { values: { messages: [] }, as_node: "echo" });
  expect(await historyOf(agents, copyFrom)).toEqual(history);
  expect((await agents.one(copyFrom)).metadata).not.toHaveProperty("audience");
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(copy({ metadata: { audience: "testers" }, ttl: { ttl: 60 } }))).toBe("same");
  await stack.destroy();
  expect(await listThreadIds(agents)).toEqual([copyFrom]);
});

// @covers 7:threads
it.each([
  ["409, as services say it", undefined],
  ["404", { status: 404, body: { detail: "Thread not found" } }],
])("of a source that is not there is explained (%s)", async (_status, fault) => {
  const { agents, copy, stack } = await createSource();
  const copyFrom = "12345678-1234-4234-8234-123456789abc";
  if (fault) await agents.emulator.faults.add({ method: "POST", path: `${agents.base}/threads/*/copy`, ...fault });
  const { message } = await failureOf(stack.up(copy({ copyFrom })));
  expect(message).toContain(`copyFrom: there is no thread ${copyFrom} at ${agents.url}${agents.base} (it said 40`);
  expect(stack.held).toBeUndefined();
});

it("that a killed run made is found by its mark", async () => {
  const { agents, copy, copyFrom, stack } = await createSource();
  await stack.up(copy());
  const { id } = heldBy(stack);
  const twin = stack.twin();
  await twin.up(copy({ metadata: { audience: "testers" } }));
  expect(heldBy(twin).id).toBe(id);
  expect(twin.rows).toEqual([`warn: Resuming Thread ${id}: an earlier run of this resource made this copy.`]);
  expect((await agents.one(id)).metadata).toMatchObject({ audience: "testers" });
  expect((await listThreadIds(agents)).sort()).toEqual([id, copyFrom].sort());
});

describe("whose metadata could not be set", () => {
  const team = { metadata: { team: "sales" }, ttl: { ttl: 60 } };

  it.each([
    ["the same program", team],
    ["another key", { ...team, metadata: { team: "sales", audience: "testers" } }],
  ])("gets the rest and its marker with the next up of %s", async (_what, declared) => {
    const { agents, copy, stack } = await createSource();
    await agents.emulator.faults.add({ method: "PATCH", path: `${agents.base}/threads/*`, status: 500 });
    await expect(stack.up(copy(team))).rejects.toThrow(": 500: ");
    const { id, failed, outputs } = heldBy(stack);
    expect([failed, outputs.metadata, outputs.ttl]).toEqual([true, {}, undefined]);
    expect(await stack.up(copy(declared))).toBe("update");
    expect(heldBy(stack)).toMatchObject({ id, failed: false });
    const remote = await agents.one(id);
    expect(remote).toMatchObject({ metadata: { ...declared.metadata, pulumi_thread_id: id }, ttl: { ttl: 60 } });
    expect(await stack.up(copy(declared))).toBe("same");
    expect(await stack.refresh()).toBe("same");
  });

  it("gets the rest after a refresh as well", async () => {
    const { agents, copy, stack } = await createSource();
    await agents.emulator.faults.add({ method: "PATCH", path: `${agents.base}/threads/*`, connection: "reset-before" });
    await expect(stack.up(copy(team))).rejects.toThrow("no response");
    await stack.refresh();
    expect(await stack.up(copy(team))).toBe("update");
    expect(await agents.one(heldBy(stack).id)).toMatchObject(team);
  });
});

describe("that a run may have left, killed before it was marked,", () => {
  /** A copy that nobody marked, as at the very end of `POST …/copy`, and a minute later. */
  async function left(change: (agents: Agents, id: string) => Promise<unknown> = async () => undefined) {
    const { agents, source, copyFrom, copy, stack } = await createSource();
    const { thread_id: id } = (await agents.ask("POST", `/threads/${copyFrom}/copy`)).body;
    await agents.pass(60_000);
    await change(agents, id);
    return { agents, source, copyFrom, copy, stack, id };
  }

  it("is named with its ID and what to do, and is not adopted: a program of the user may have created it", async () => {
    const { agents, copyFrom, copy, stack, id } = await left();
    const metadata = { audience: "testers" };
    expect(await stack.up(copy({ metadata }))).toBe("create");
    const { id: own } = heldBy(stack);
    const server = agents.url + agents.base;
    expect(stack.rows).toEqual([
      `warn: At ${server} there are copies of ${copyFrom}, or of a thread that it replaced, that carry no ownership marker of their own and have not changed: ${id}. If nobody else made them, an interrupted run of this resource did, and nothing refers to them; this resource has ${own}.\nTo delete one:  DELETE ${server}/threads/${id}`,
    ]);
    expect((await listThreadIds(agents)).sort()).toEqual([copyFrom, id, own].sort());
    expect((await agents.one(id)).metadata).not.toHaveProperty("audience");
    stack.rows = [];
    expect(await stack.up(copy({ metadata }))).toBe("same");
    expect(stack.rows).toEqual([]);
  });

  it("is named after a create that failed in two ways", async () => {
    const { agents, copy, stack, id } = await left();
    await agents.emulator.faults.add({ method: "PATCH", path: `${agents.base}/threads/*`, status: 500 });
    await expect(stack.up(copy({ metadata: { audience: "testers" } }))).rejects.toThrow(": 500: ");
    expect(stack.rows.join()).toContain(`: ${id}. If nobody`);
  });

  it("is named by the run that continues, when two were killed", async () => {
    const { copy, stack, id } = await left();
    await stack.up(copy());
    const twin = stack.twin();
    await twin.up(copy());
    expect(twin.rows).toEqual([
      expect.stringContaining("Resuming Thread"),
      expect.stringContaining(`: ${id}. If nobody`),
    ]);
  });

  it("is named when its source was changed since", async () => {
    const { agents, copyFrom, copy, stack, id } = await left();
    await agents.ask("PATCH", `/threads/${copyFrom}`, { metadata: { team: "sales" } });
    await stack.up(copy());
    expect(stack.rows.join()).toContain(`: ${id}. If nobody`);
  });

  it("is named when its source was replaced since", async () => {
    const { agents, source, copy, stack, id } = await left();
    await source.up(agents.thread({ supersteps: [say("four")] }));
    const copyFrom = heldBy(source).id;
    await stack.up(copy({ copyFrom }));
    expect(stack.rows.join()).toContain(`: ${id}. If nobody`);
  });

  it("is named within a day, however short resumeWithin is", async () => {
    const { copy, stack, id } = await left((agents) => agents.pass(23 * 3_600_000));
    await stack.up(copy(), stack.host({ resumeWithin: "1m" }));
    expect(stack.rows.join()).toContain(`: ${id}. If nobody`);
  });

  it.each<[string, (agents: Agents, id: string) => Promise<unknown>]>([
    ["a day old", (agents) => agents.pass(24 * 3_600_000)],
    [
      "in use",
      (agents, id) => agents.ask("POST", `/threads/${id}/state`, { values: { messages: [] }, as_node: "echo" }),
    ],
    [
      "marked by another resource",
      (agents, id) =>
        agents.ask("PATCH", `/threads/${id}`, {
          metadata: { pulumi_thread: "another", pulumi_thread_resource: "another", pulumi_thread_id: id },
        }),
    ],
  ])("is not one that is %s", async (_what, change) => {
    const { copy, stack } = await left(change);
    await stack.up(copy());
    expect(stack.rows).toEqual([]);
  });

  it("cannot be recognized where the source has no metadata by which its copies are known", async () => {
    const { agents, stack } = await createSource();
    const { thread_id: copyFrom } = (await agents.ask("POST", "/threads", {})).body;
    await agents.ask("POST", `/threads/${copyFrom}/copy`);
    await stack.up({ deploymentId: agents.deploymentId, copyFrom });
    expect(stack.rows).toEqual([]);
  });

  it("costs nothing when the service does not search: the copy stands", async () => {
    const { agents, copy, stack } = await left();
    const path = `${agents.base}/threads/search`;
    await agents.emulator.faults.add({ method: "POST", path, skip: 1, status: 400, body: { detail: "no" } } as never);
    expect(await stack.up(copy())).toBe("create");
    expect(heldBy(stack).failed).toBe(false);
  });
});

describe("whose answer was lost", () => {
  const lost = (agents: Agents) =>
    ({ method: "POST", path: `${agents.base}/threads/*/copy`, connection: "reset-after" }) as const;

  it("is not taken for the one thread that is new and like its source: the error names it, and what to do", async () => {
    const { agents, copy, copyFrom, stack } = await createSource();
    const old = agents.stack({ name: "old" });
    await old.up(copy());
    await agents.pass(60_000);
    await agents.emulator.faults.add(lost(agents));
    const { message } = await failureOf(stack.up(copy()));
    const [left = ""] = (await listThreadIds(agents)).filter((id) => ![copyFrom, heldBy(old).id].includes(id));
    expect(message).toContain(`nothing shows who requested them: ${left}. If none is yours`);
    expect(message).toContain(`import: "${left}"`);
    expect(stack.held).toBeUndefined();
    expect(await stack.up(copy(), stack.host(), { __import: left })).toBe("create");
    expect(heldBy(stack).id).toBe(left);
    expect(await stack.up(copy())).toBe("same");
  });

  it("and that another one made at the same time resembles is an error that lists them", async () => {
    const { agents, copy, copyFrom, stack } = await createSource();
    await agents.ask("POST", `/threads/${copyFrom}/copy`);
    await agents.emulator.faults.add(lost(agents));
    const { message } = await failureOf(stack.up(copy()));
    const copies = (await listThreadIds(agents)).filter((id) => id !== copyFrom);
    expect(copies).toHaveLength(2);
    for (const id of copies) expect(message).toContain(id);
    expect(stack.held).toBeUndefined();
  });

  it("and whose search fails too is an error that promises no more than the next up does", async () => {
    const { agents, copy, copyFrom, stack } = await createSource();
    const search = { method: "POST", path: `${agents.base}/threads/search` } as const;
    await agents.emulator.faults.add(lost(agents));
    await agents.emulator.faults.add({ ...search, status: 403, body: { detail: "no" }, skip: 1, times: 1 });
    const { message } = await failureOf(stack.up(copy()));
    const [left = ""] = (await listThreadIds(agents)).filter((id) => id !== copyFrom);
    expect(message).toContain(
      "Could not determine whether it was created (POST /threads/search: 403: no). Run `pulumi up` again, which makes another copy, and warns of this one if it finds it.",
    );
    await stack.up(copy());
    expect(stack.rows.join()).toContain(`: ${left}. If nobody`);
  });

  it("and that was not made is an error, after which the next run makes it", async () => {
    const { agents, copy, stack } = await createSource();
    await agents.emulator.faults.add({ ...lost(agents), connection: "reset-before" });
    expect((await failureOf(stack.up(copy()))).message).toContain("The server has no new copy of");
    expect(await stack.up(copy())).toBe("create");
    expect(await listThreadIds(agents)).toHaveLength(2);
  });
});

it("ten copies of one thread, made at once, are ten", async () => {
  const { agents, copy } = await createSource();
  const host = agents.stack().host();
  const stacks = Array.from({ length: 10 }, (_, index) => agents.stack({ name: `copy-${index}` }));
  await agents.emulator.faults.add({
    method: "POST",
    path: `${agents.base}/threads/*/copy`,
    connection: "reset-after",
    times: 4,
  });
  await Promise.allSettled(stacks.map((stack) => stack.up(copy(), host)));
  expect(stacks.filter(({ held }) => !held)).toHaveLength(4);
  await Promise.all(stacks.map((stack) => stack.up(copy(), host)));
  expect(new Set(stacks.map((stack) => heldBy(stack).id)).size).toBe(10);
  // Those whose response was lost are nobody's.
  expect(await listThreadIds(agents)).toHaveLength(11 + 4);
});
