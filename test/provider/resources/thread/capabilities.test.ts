/** Agent servers that lack what the interface does not promise: what is missing is said, and nothing is made twice. */
import { failureOf } from "../../../support/errors";
import { startProxy } from "../../../support/proxy";
import { heldBy } from "../../../support/stack";
import { type Agents, createThread, listThreadIds, startAgents, step } from "../../../support/threads";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const sales = { metadata: { graph_id: "echo", team: "sales" } };

describe("a server of the interface alone", () => {
  const small = { interfaceOnly: true };

  it("chooses the id itself; the mark in the metadata is looked for before, and nothing else is asked", async () => {
    const agents = await startAgents(small);
    const stack = agents.stack();
    await stack.up(agents.thread({ supersteps: [step(hello)] }));
    const search = "POST /threads/search";
    const create = ["GET /v2/deployments/{id}", "GET /ok", search, search, "POST /threads"];
    // It is asked once to note which ID is ours, by which a later run would know the thread.
    expect(agents.asked()).toEqual([...create, "PATCH /threads/{id}", search]);
    expect(await listThreadIds(agents)).toEqual([heldBy(stack).id]);
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up(agents.thread({ supersteps: [step(hello)] }))).toBe("same");
  });

  it("warns that the server assigned another ID than the declared one", async () => {
    const { stack, id } = await createThread({}, small);
    const agents = await startAgents(small);
    const wishful = agents.stack();
    await wishful.up(agents.thread({ threadId: id }));
    expect(wishful.rows).toEqual([`warn: threadId: the server assigned its own ID: ${heldBy(wishful).id}.`]);
    expect(stack.rows).toEqual([]);
  });

  // @covers 4B.POST /threads:once
  it("settles a lost response by the request that the thread names", async () => {
    const agents = await startAgents(small);
    const stack = agents.stack();
    await agents.emulator.faults.add({ method: "POST", path: `${agents.base}/threads`, connection: "reset-after" });
    await stack.up(agents.thread());
    expect(await listThreadIds(agents)).toEqual([heldBy(stack).id]);
    expect(stack.rows).toEqual([]);
  });

  it("drops a thread from state with a warning, since it cannot be deleted", async () => {
    const { agents, stack, id, outputs } = await createThread({}, small);
    await stack.destroy();
    expect(stack.held).toBeUndefined();
    expect(stack.rows).toEqual([
      `warn: This server has no way to delete thread ${id} at ${outputs.url}; it is only dropped from this stack's state. The server still holds its history: remove it there by other means, or let it expire.`,
    ]);
    expect(await listThreadIds(agents)).toEqual([id]);
  });

  it("keeps in state what was left behind without its supersteps, and the next run replaces it", async () => {
    const agents = await startAgents(small);
    const stack = agents.stack();
    const answer = { status: 201, body: { detail: "Node echo does not exist" }, act: true };
    await agents.emulator.faults.add({ method: "POST", path: `${agents.base}/threads`, ...answer });
    const { message } = await failureOf(stack.up(agents.thread({ supersteps: [step(hello), step(hello)] })));
    expect(message).toMatch(/POST \/threads: 201: Node echo does not exist\n.*kept in state/);
    const { id, failed } = heldBy(stack);
    expect([failed, await listThreadIds(agents)]).toEqual([true, [id]]);
    expect(await stack.up(agents.thread({ supersteps: [step(hello)] }))).toBe("replace");
    expect(stack.rows.join()).toContain("REPLACED, its history is lost: supersteps");
    expect(await stack.up(agents.thread({ supersteps: [step(hello)] }))).toBe("same");
  });

  it("keeps a copy whose metadata it cannot set, and says what to declare", async () => {
    const { agents, id } = await createThread({}, small);
    const copy = agents.stack({ name: "copy" });
    const { message } = await failureOf(copy.up({ deploymentId: agents.deploymentId, copyFrom: id, ...sales }));
    expect(message).toContain(
      `this server has no way to change metadata or ttl, so it has those of ${id}. Remove these from the program: metadata.team.`,
    );
    expect(await listThreadIds(agents)).toContain(heldBy(copy).id);
    const same = { deploymentId: agents.deploymentId, copyFrom: id, metadata: { graph_id: "echo" } };
    expect(await copy.up(same)).toBe("update");
    expect(await copy.up(same)).toBe("same");
  });
});

describe("a server that chooses IDs and can change threads", () => {
  /** What a run made that was killed before state was written, and the stack of the next one. */
  async function killed({ serves = true, ...options }: Parameters<typeof startAgents>[0] & { serves?: boolean } = {}) {
    const agents = await startAgents(options);
    const url = await startProxy(agents.url, ({ method, path, body }) => {
      if (path.endsWith("/ok") && !serves) return { status: 404, body: { detail: "Not Found" } };
      if (method !== "POST" || !path.endsWith("/threads")) return undefined;
      const { thread_id: _, if_exists: __, ...rest } = body as Record<string, unknown>;
      return { body: rest };
    });
    const declared = { deploymentUrl: url + agents.base, metadata: { graph_id: "echo" } };
    const first = agents.stack();
    await first.up(declared);
    expect(first.rows).toEqual([]);
    const { id } = heldBy(first);
    expect(await listThreadIds(agents)).toEqual([id]);
    expect((await agents.one(id)).metadata).toMatchObject({ pulumi_thread_id: id });
    await agents.emulator.journal.clear();
    return { agents, declared, twin: first.twin(), id, url };
  }

  // @covers 4B.POST /threads:once
  it("and tells when it is ready has two after an interrupted run: the new one is deleted, the old one kept", async () => {
    const { agents, declared, twin, id } = await killed();
    await twin.up(declared);
    expect(heldBy(twin).id).toBe(id);
    expect(twin.rows.join()).toContain(`Resuming Thread ${id}: it was at`);
    expect(await listThreadIds(agents)).toEqual([id]);
    expect(agents.emulator.journal.count({ method: "DELETE" })).toBe(1);
  });

  // @covers 4B.POST /threads:once
  it("and does not tell when it is ready is searched before a create", async () => {
    const { agents, declared, twin, id } = await killed({ serves: false });
    await twin.up(declared);
    expect(heldBy(twin).id).toBe(id);
    expect(agents.emulator.journal.count({ method: "POST", path: `${agents.base}/threads` })).toBe(0);
  });

  it("and cannot delete keeps both, and says which one nothing refers to", async () => {
    const { agents, declared, twin, id, url } = await killed({ without: ["threads-delete"] });
    await twin.up(declared);
    const now = heldBy(twin).id;
    expect((await listThreadIds(agents)).sort()).toEqual([id, now].sort());
    expect(twin.rows).toEqual([
      `warn: An interrupted run left thread ${id} at ${url}${agents.base}, which has no way to delete it; this resource now has ${now}.`,
    ]);
    expect(await twin.up(declared)).toBe("same");
  });

  it("gets the rest of a thread whose ID could not be noted, with the next up", async () => {
    const { agents, declared } = await killed();
    const stack = agents.stack({ name: "another" });
    await agents.emulator.faults.add({ method: "PATCH", path: `${agents.base}/threads/*`, status: 500 });
    await expect(stack.up(declared)).rejects.toThrow(": 500: ");
    const { id, failed } = heldBy(stack);
    expect(failed).toBe(true);
    expect((await agents.one(id)).metadata).not.toHaveProperty("pulumi_thread_id");
    expect(await stack.up(declared)).toBe("update");
    expect((await agents.one(id)).metadata).toMatchObject({ pulumi_thread_id: id });
  });
});

describe("a server without a way to change threads", () => {
  const fixed = { without: ["threads-patch"] };

  it("fails the first change and remembers; from then on a change replaces, which the preview says", async () => {
    const { agents, stack, id } = await createThread({}, fixed);
    const { message } = await failureOf(stack.up(agents.thread(sales)));
    expect(message).toContain("no way to change a thread's metadata or ttl. Nothing was changed.");
    expect(heldBy(stack)).toMatchObject({ id, failed: true, outputs: { metadata: { team: "support" } } });

    stack.rows = [];
    expect(await stack.up(agents.thread(sales))).toBe("replace");
    expect(stack.rows[0]).toBe("warn: REPLACED, its history is lost: metadata.team (this server cannot change it)");
    expect((await agents.one(heldBy(stack).id)).metadata).toMatchObject({ team: "sales" });
    expect(await stack.up(agents.thread(sales))).toBe("same");
    expect(await stack.refresh()).toBe("same");

    // The new one need not fail first.
    expect((await stack.diff(agents.thread({ ...sales, ttl: { ttl: 5 } }))).replaces).toEqual(["ttl"]);
  });

  it("goes back to what was declared before without a word", async () => {
    const { agents, stack, id } = await createThread({}, fixed);
    await expect(stack.up(agents.thread(sales))).rejects.toThrow("no way to change a thread");
    expect(await stack.up(agents.thread())).toBe("update");
    expect(heldBy(stack)).toMatchObject({ id, failed: false });
  });

  it("and without a way to delete has the old thread beside the new one, whose id counts the metadata", async () => {
    const { agents, stack, id } = await createThread({}, { without: ["threads-patch", "threads-delete"] });
    await expect(stack.up(agents.thread(sales))).rejects.toThrow("no way to change a thread");
    expect(await stack.up(agents.thread(sales))).toBe("replace");
    const next = heldBy(stack).id;
    expect((await listThreadIds(agents)).sort()).toEqual([id, next].sort());
    expect((await agents.one(next)).metadata).toMatchObject({ team: "sales" });

    // A run that was killed after this create makes no third one, once it knows again what the server cannot do.
    await agents.pass(60_000);
    const twin = stack.twin();
    await expect(twin.up(agents.thread(sales))).rejects.toThrow("no way to change a thread");
    expect(await twin.up(agents.thread(sales))).toBe("replace");
    expect(heldBy(twin).id).toBe(next);
    expect(await listThreadIds(agents)).toHaveLength(2);
  });
});

describe.each([404, 405, 501])("a single %i of a proxy", (status) => {
  const stray = (agents: Agents, method: string, times = 1) =>
    agents.emulator.faults.add({ method, path: `${agents.base}/threads/*`, status, times, body: "<h1>nginx</h1>" });

  it("does not count as a server that cannot delete", async () => {
    const { agents, stack } = await createThread();
    await stray(agents, "DELETE");
    await stack.destroy();
    expect(await listThreadIds(agents)).toEqual([]);
    expect(stack.rows).toEqual([]);
  });

  it("does not count as a server that cannot change threads", async () => {
    const { agents, stack, id } = await createThread();
    await stray(agents, "PATCH");
    expect(await stack.up(agents.thread(sales))).toBe("update");
    expect((await agents.one(id)).metadata).toMatchObject({ team: "sales" });
    expect(heldBy(stack).outputs).not.toHaveProperty("__routes");
  });

  it("that came for half a minute costs no history: the server is asked again before the replacement", async () => {
    const { agents, stack, id } = await createThread();
    await stray(agents, "PATCH", 5);
    await expect(stack.up(agents.thread(sales))).rejects.toThrow("no way to change a thread");
    expect(heldBy(stack).outputs).toMatchObject({ __routes: ["threads-patch"] });
    const { message } = await failureOf(stack.up(agents.thread(sales)));
    expect(message).toContain(`Thread ${id} was not replaced: its server can change it in place now`);
    expect(await stack.refresh()).toBe("same");
    expect(heldBy(stack).outputs).not.toHaveProperty("__routes");
    expect(await stack.up(agents.thread(sales))).toBe("update");
    expect(await listThreadIds(agents)).toEqual([id]);
  });

  it("that stays is a server without the route, and what is gone is gone", async () => {
    const { agents, stack } = await createThread();
    const gone = agents.stack({ name: "gone" });
    await gone.up(agents.thread());
    await agents.ask("DELETE", `/threads/${heldBy(gone).id}`);
    await stray(agents, "DELETE", 100);
    await stack.destroy();
    expect(stack.rows.join()).toContain("warn: This server has no way to delete");
    await gone.destroy();
    expect(gone.rows).toEqual([]);
  });
});

// @covers 4B:unsaid
it("a server that ignores the ids of a search is asked for each thread, and never loses one", async () => {
  const agents = await startAgents({ interfaceOnly: true });
  const stacks = ["a", "b", "c"].map((name) => agents.stack({ name }));
  for (const stack of stacks) await stack.up(agents.thread());
  for (const _ of stacks) await agents.ask("POST", "/threads", {});
  const host = agents.stack().host();
  const states = await Promise.all(stacks.map((stack) => stack.refresh(host)));
  expect(states).toEqual(["same", "same", "same"]);
  await agents.emulator.journal.clear();
  await Promise.all(stacks.map((stack) => stack.refresh(host)));
  expect(agents.asked().filter((request) => request.includes("search"))).toEqual([]);
});

it("a change of what is gone says how to have it again", async () => {
  const { agents, stack, id } = await createThread();
  await agents.ask("DELETE", `/threads/${id}`);
  expect((await failureOf(stack.up(agents.thread(sales)))).message).toMatch(/no longer exists.*pulumi up --refresh/);
});
