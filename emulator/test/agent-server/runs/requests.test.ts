import { human, runStatus, startAgent, startRun, startThread } from "../../support/agent-server";

const hello = { assistant_id: "echo", input: { messages: [human("Hello")] } };

/** The fields that published agent SDKs send with every run that they stream. */
const sent = { stream_mode: ["values"], stream_subgraphs: false, stream_resumable: false, on_disconnect: "cancel" };
const settings = {
  ...sent,
  ...{ durability: "exit", checkpoint_during: false, feedback_keys: ["score"], after_seconds: 0.5 },
  ...{ langsmith_tracer: { project_name: "p" }, webhook: "https://hooks.example.com/run" },
};

// @covers 2B.Run:request
test.each(["python", "javascript"] as const)("a strict %s server accepts what agent SDKs send", async (agentServer) => {
  const { agent, thread_id } = await startThread({ strict: true, agentServer });
  await startRun(agent, thread_id, { ...hello, ...settings });
  expect((await agent.call("POST", "/runs/batch", [{ ...hello, assistantId: "echo" }])).status).toBe(200);
  const [{ notes } = { notes: [] }] = agent.emulator.requestLog.entries({ path: "/agents/*/threads/*/runs" });
  expect(notes).toEqual([
    "feedback_keys have no effect: nothing is scored",
    "langsmith_tracer has no effect: traces are in the project of the deployment",
    "webhook is not called: only those on this machine are, without credentials and with --agent-server javascript",
  ]);
});

describe.each([
  ["python", 422],
  ["javascript", 400],
] as const)("a %s server", (agentServer, status) => {
  // @covers 2B.Run:request
  test.each([
    ["stream_mode", "bad"],
    ["stream_mode", ["values", "bad"]],
    ["interrupt_before", [1]],
    ["interrupt_after", "echo"],
    ["after_seconds", "soon"],
    ["feedback_keys", "score"],
    ["stream_subgraphs", "sometimes"],
    ["config", { tags: "tag" }],
    ["config", { recursion_limit: "ten" }],
    ["command", { goto: 5 }],
    ["command", { goto: ["echo", { node: "echo", input: {} }] }],
    ["command", { update: "text" }],
    ["command", { update: [["messages"]] }],
  ])("rejects a run, and one of a batch, whose %s is %j", async (field, value) => {
    const { agent, thread_id } = await startThread({ agentServer });
    const run = { ...hello, [field]: value };
    expect((await agent.call("POST", `/threads/${thread_id}/runs`, run)).status).toBe(status);
    const batch = await agent.call("POST", "/runs/batch", [hello, run]);
    expect(batch.status).toBe(status);
    expect(JSON.stringify(batch.body)).toContain(field);
    expect((await agent.call("GET", `/threads/${thread_id}/runs`)).list).toEqual([]);
  });
});

test("only a Python server checks durability, the host of a webhook, a thread to resume, and a batch", async () => {
  const statusOf = async (agentServer: "python" | "javascript", body: object) =>
    (await (await startAgent({ agentServer })).call("POST", Array.isArray(body) ? "/runs/batch" : "/runs", body))
      .status;
  for (const [body, status] of [
    [{ ...hello, durability: "bad" }, 422],
    [{ ...hello, webhook: "http://127.0.0.1/" }, 422],
    [{ ...hello, command: { resume: "yes" } }, 400],
    [[], 422],
  ] as const) {
    expect(await statusOf("python", body)).toBe(status);
    expect(await statusOf("javascript", body)).toBe(200);
  }
});

test("a run that is delayed lets later ones run first, and keeps its delay behind one", async () => {
  const { agent, thread_id } = await startThread();
  const runs: string[] = [];
  for (const after_seconds of [9, 6, undefined])
    runs.push(await startRun(agent, thread_id, { ...hello, after_seconds }));
  const statuses = () => Promise.all(runs.map((run) => runStatus(agent, thread_id, run)));
  await agent.advance(4000);
  expect(await statuses()).toEqual(["pending", "pending", "success"]);
  await agent.advance(4000);
  expect(await statuses()).toEqual(["pending", "success", "success"]);
  await agent.advance(4000);
  expect(await statuses()).toEqual(["success", "success", "success"]);
});

describe("the runs of a thread", () => {
  const list = async (agentServer: "python" | "javascript", query: string) => {
    const { agent, thread_id } = await startThread({ agentServer });
    await startRun(agent, thread_id, hello);
    return agent.call("GET", `/threads/${thread_id}/runs?${query}`);
  };

  // @covers 4B.GET /threads/{thread_id}/runs
  test("have the selected fields, which a JavaScript server ignores", async () => {
    const query = "select=status&select=multitask_strategy";
    expect((await list("python", query)).body).toEqual([{ status: "pending", multitask_strategy: "enqueue" }]);
    expect((await list("python", "select=nothing")).status).toBe(422);
    expect((await list("javascript", query)).list[0]).toHaveProperty("run_id");
  });

  test("may be as many as a client asks for", async () => {
    expect((await list("python", "limit=0")).body).toEqual([]);
    expect((await list("python", "limit=100000")).list).toHaveLength(1);
  });
});
