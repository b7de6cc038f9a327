/** A copy of a Thread that a killed run may have left without a marker. */
import { type AgentPlatform, createSource, createThread, listThreadIds, say } from "../../../support/agents/threads";
import { stateOf } from "../../../support/stack";

describe("a copy that a killed run may have left without a marker", () => {
  /** Creates a copy without a marker, as right after `POST …/copy`, and lets a minute pass. */
  async function leaveCopy(change: (agents: AgentPlatform, id: string) => Promise<unknown> = async () => undefined) {
    const { agents, source, copyFrom, copy, stack } = await createSource();
    const { thread_id: id } = (await agents.callAgentServer("POST", `/threads/${copyFrom}/copy`)).body;
    await agents.advance(60_000);
    await change(agents, id);
    return { agents, source, copyFrom, copy, stack, id };
  }

  it("is reported with its ID and what to do, and not adopted, since another program may have created it", async () => {
    const { agents, copyFrom, copy, stack, id } = await leaveCopy();
    const metadata = { audience: "testers" };
    expect(await stack.up(copy({ metadata }))).toBe("create");
    const { id: own } = stateOf(stack);
    const server = agents.url + agents.basePath;
    expect(stack.messages).toEqual([
      `warn: ${server} has unmodified copies of ${copyFrom}, or of a thread that it replaced, without an ` +
        `ownership marker of their own: ${id}. If nobody else created them, an interrupted run of this resource ` +
        `did. This resource manages ${own}.\nTo delete one:  DELETE ${server}/threads/${id}`,
    ]);
    expect((await listThreadIds(agents)).sort()).toEqual([copyFrom, id, own].sort());
    expect((await agents.getThread(id)).metadata).not.toHaveProperty("audience");
    stack.messages = [];
    expect(await stack.up(copy({ metadata }))).toBe("same");
    expect(stack.messages).toEqual([]);
  });

  it("is reported by the run that resumes another copy", async () => {
    const { copy, stack, id } = await leaveCopy();
    await stack.up(copy());
    const secondStack = stack.fork();
    await secondStack.up(copy());
    expect(secondStack.messages).toEqual([
      expect.stringContaining("Resuming thread"),
      expect.stringContaining(`: ${id}. If nobody`),
    ]);
  });

  it("is reported when its source has changed since", async () => {
    const { agents, copyFrom, copy, stack, id } = await leaveCopy();
    await agents.callAgentServer("PATCH", `/threads/${copyFrom}`, { metadata: { team: "sales" } });
    await stack.up(copy());
    expect(stack.messages.join()).toContain(`: ${id}. If nobody`);
  });

  it("is reported when its source has been replaced since", async () => {
    const { agents, source, copy, stack, id } = await leaveCopy();
    await source.up(agents.threadInputs({ supersteps: [say("four")] }));
    const copyFrom = stateOf(source).id;
    await stack.up(copy({ copyFrom }));
    expect(stack.messages.join()).toContain(`: ${id}. If nobody`);
  });

  it("is reported for a day, however short resumeWithin is", async () => {
    const { copy, stack, id } = await leaveCopy((agents) => agents.advance(23 * 3_600_000));
    await stack.up(copy(), stack.host({ resumeWithin: "1m" }));
    expect(stack.messages.join()).toContain(`: ${id}. If nobody`);
  });

  it.each<[string, (agents: AgentPlatform, id: string) => Promise<unknown>]>([
    ["a day old", (agents) => agents.advance(24 * 3_600_000)],
    [
      "in use",
      (agents, id) =>
        agents.callAgentServer("POST", `/threads/${id}/state`, { values: { messages: [] }, as_node: "echo" }),
    ],
    [
      "tagged by another resource",
      (agents, id) =>
        agents.callAgentServer("PATCH", `/threads/${id}`, {
          metadata: { pulumi_thread: "another", pulumi_thread_resource: "another", pulumi_thread_id: id },
        }),
    ],
  ])("is not reported when it is %s", async (_what, change) => {
    const { copy, stack } = await leaveCopy(change);
    await stack.up(copy());
    expect(stack.messages).toEqual([]);
  });

  it("is not reported when the source has no metadata that would identify its copies", async () => {
    const { agents, stack } = await createSource();
    const { thread_id: copyFrom } = (await agents.callAgentServer("POST", "/threads", {})).body;
    await agents.callAgentServer("POST", `/threads/${copyFrom}/copy`);
    await stack.up({ deploymentId: agents.deploymentId, copyFrom });
    expect(stack.messages).toEqual([]);
  });

  it("does not fail the create when the server rejects the search", async () => {
    const { agents, copy, stack } = await leaveCopy();
    const path = `${agents.basePath}/threads/search`;
    await agents.addFault({ method: "POST", path, skip: 1, status: 400, body: { detail: "no" } } as never);
    expect(await stack.up(copy())).toBe("create");
    expect(stateOf(stack).failed).toBe(false);
  });
});

it("a copy whose metadata cannot be set names the thread that an earlier run left with other inputs", async () => {
  const { agents, stack, id } = await createThread();
  const { thread_id: source } = (await agents.callAgentServer("POST", "/threads", { metadata: { customer: "ada" } }))
    .body;
  await agents.addFault({ method: "PATCH", status: 400 });
  const copying = stack.fork();
  await expect(copying.up(agents.threadInputs({ copyFrom: source }))).rejects.toThrow("400");
  expect(copying.messages.join("\n")).toContain(`Earlier runs of this resource left threads`);
  expect(copying.messages.join("\n")).toContain(id);
});
