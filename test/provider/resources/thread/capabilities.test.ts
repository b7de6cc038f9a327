import { createThread, listThreadIds, startAgents, startThread, superstep } from "../../../support/agents/threads";
import { startProxy } from "../../../support/servers/proxy";
import { expectClean, stateOf } from "../../../support/stack";

const hello = { messages: [{ role: "user", content: "Hello" }] };
const sales = { metadata: { graph_id: "echo", team: "sales" } };

const small = { interfaceOnly: true };

describe("on a server of the interface alone, a thread", () => {
  // @covers 10B.client-ids
  it("gets the server's ID after one search for the ownership marker and no other request", async () => {
    const { agents, stack } = await startThread({ server: small });
    await stack.up(agents.threadInputs({ supersteps: [superstep(hello)] }));
    const search = "POST /threads/search";
    const create = ["GET /v2/deployments/{id}", "GET /ok", search, search, "POST /threads"];
    // The update sets the thread's own ID in its metadata, by which a later run would recognize it.
    expect(agents.agentRequests()).toEqual([...create, "PATCH /threads/{id}", search]);
    expect(await listThreadIds(agents)).toEqual([stateOf(stack).id]);
    await expectClean(stack, agents.threadInputs({ supersteps: [superstep(hello)] }));
  });

  it("warns when the server assigned another ID than the declared one", async () => {
    const { stack, id } = await createThread({}, small);
    const agents = await startAgents(small);
    const wishful = agents.stack();
    await wishful.up(agents.threadInputs({ threadId: id }));
    expect(wishful.messages).toEqual([`warn: threadId: the server assigned its own ID: ${stateOf(wishful).id}.`]);
    expect(stack.messages).toEqual([]);
  });

  it("stays in state without its supersteps when they cannot be applied, and the next up replaces it", async () => {
    const { agents, stack } = await startThread({ server: small });
    const response = { status: 201, body: { detail: "Graph 'echo' not found" }, act: true };
    await agents.addFault({ method: "POST", path: `${agents.basePath}/threads`, ...response });
    await expect(stack.up(agents.threadInputs({ supersteps: [superstep(hello), superstep(hello)] }))).rejects.toThrow(
      new RegExp(
        "POST /threads: the server created the thread, but did not apply its supersteps: Graph 'echo' " +
          String.raw`not found\n.*kept in state`,
      ),
    );
    const { id, failed } = stateOf(stack);
    expect([failed, await listThreadIds(agents)]).toEqual([true, [id]]);
    expect(await stack.up(agents.threadInputs({ supersteps: [superstep(hello)] }))).toBe("replace");
    expect(stack.messages.join()).toContain("REPLACED, its history is lost: supersteps");
    expect(await stack.up(agents.threadInputs({ supersteps: [superstep(hello)] }))).toBe("same");
  });

  // @covers 10B.copy-values
  it("that is a copy stays in state when its metadata cannot be set, and the error shows what to declare", async () => {
    const { agents, id } = await createThread({}, small);
    const copy = agents.stack({ name: "copy" });
    const declared = { deploymentId: agents.deploymentId, copyFrom: id, ...sales, ttl: { ttl: 5 } };
    await expect(copy.up(declared)).rejects.toThrow(
      `this server cannot change metadata or ttl, so it has those of ${id}. Remove these from the program: ` +
        "metadata.team, ttl.",
    );
    expect(await listThreadIds(agents)).toContain(stateOf(copy).id);
    const same = { deploymentId: agents.deploymentId, copyFrom: id, metadata: { graph_id: "echo" } };
    expect([await copy.up(same), await copy.up(same)]).toEqual(["update", "same"]);
  });
});

describe("after an interrupted run, on a server that assigns IDs and can change threads", () => {
  /** A thread of a run that was killed before state was written, and the stack of the next run. */
  async function killRun({ isLive = true, ...options }: Parameters<typeof startAgents>[0] & { isLive?: boolean } = {}) {
    const agents = await startAgents(options);
    const url = await startProxy(agents.url, ({ method, path, body }) => {
      if (path.endsWith("/ok") && !isLive) return { status: 404, body: { detail: "Not Found" } };
      if (method !== "POST" || !path.endsWith("/threads")) return undefined;
      const { thread_id: _, if_exists: __, ...rest } = body as Record<string, unknown>;
      return { body: rest };
    });
    const declared = { deploymentUrl: url + agents.basePath, metadata: { graph_id: "echo" } };
    const first = agents.stack();
    await first.up(declared);
    expect(first.messages).toEqual([]);
    const { id } = stateOf(first);
    expect(await listThreadIds(agents)).toEqual([id]);
    expect((await agents.getThread(id)).metadata).toMatchObject({ pulumi_thread_id: id });
    await agents.emulator.requestLog.clear();
    return { agents, declared, secondStack: first.fork(), id, url };
  }

  // @covers 4B.POST /threads:once
  it("a missing readiness route leads to a search before the create, which finds the first thread", async () => {
    const { agents, declared, secondStack, id } = await killRun({ isLive: false });
    await secondStack.up(declared);
    expect(stateOf(secondStack).id).toBe(id);
    expect(agents.emulator.requestLog.count({ method: "POST", path: `${agents.basePath}/threads` })).toBe(0);
  });

  it("a missing delete route keeps both threads, with a warning about the one that nothing manages", async () => {
    const { agents, declared, secondStack, id, url } = await killRun({ without: ["threads-delete"] });
    await secondStack.up(declared);
    const now = stateOf(secondStack).id;
    expect((await listThreadIds(agents)).sort()).toEqual([id, now].sort());
    expect(secondStack.messages).toEqual([
      expect.stringContaining(
        `warn: This resource manages thread ${now}. Other threads at ${url}${agents.basePath} have the same ` +
          `ownership marker: ${id}.`,
      ),
    ]);
    expect(await secondStack.up(declared)).toBe("same");
  });

  it("a thread whose ID could not be tagged is tagged by the next up", async () => {
    const { agents, declared } = await killRun();
    const stack = agents.stack({ name: "another" });
    await agents.addFault({ method: "PATCH", path: `${agents.basePath}/threads/*`, status: 500 });
    await expect(stack.up(declared)).rejects.toThrow(": 500: ");
    const { id, failed } = stateOf(stack);
    expect(failed).toBe(true);
    expect((await agents.getThread(id)).metadata).not.toHaveProperty("pulumi_thread_id");
    expect(await stack.up(declared)).toBe("update");
    expect((await agents.getThread(id)).metadata).toMatchObject({ pulumi_thread_id: id });
  });
});

it.each([{ without: ["threads-patch", "threads-delete"] }, small])(
  "where no thread can be changed or deleted, one that the user replaces is created beside it (%j)",
  async (options) => {
    const { agents, stack, id } = await createThread({}, options);
    await expect(stack.up(agents.threadInputs(sales))).rejects.toThrow("pulumi up --replace");
    await stack.replace(agents.threadInputs(sales));
    const next = stateOf(stack).id;
    expect((await listThreadIds(agents)).sort()).toEqual([id, next].sort());
    expect((await agents.getThread(next)).metadata).toMatchObject({ team: "sales" });
    await expectClean(stack, agents.threadInputs(sales));

    // A run after a killed one creates no third thread where IDs show which ones are ours.
    if (options === small) return;
    await agents.advance(60_000);
    const secondStack = stack.fork();
    await expect(secondStack.up(agents.threadInputs(sales))).rejects.toThrow("pulumi up --replace");
    await secondStack.replace(agents.threadInputs(sales));
    expect(stateOf(secondStack).id).toBe(next);
    expect(await listThreadIds(agents)).toHaveLength(2);
  },
);
