/** What a preview says of a thread without asking anybody: mistakes, warnings, and what stays secret. */
import { runtime } from "@pulumi/pulumi";
import { TestClock } from "../../../support/clock";
import { failureOf } from "../../../support/errors";
import type { Platform } from "../../../support/platform";
import { heldBy, Refused, Stack } from "../../../support/stack";
import { startAgents, step } from "../../../support/threads";

const nobody: Pick<Platform, "clock" | "url"> = { url: "http://127.0.0.1:1", clock: new TestClock() };
const stackOf = (config = {}) => new Stack(nobody, { kind: "Thread", name: "session", config });
const good = { deploymentId: "66666666-6666-4666-8666-666666666666", metadata: { graph_id: "echo" } };
const id = "12345678-1234-4234-8234-123456789abc";

async function refusal(declared: object, config = {}): Promise<string> {
  const error = await stackOf(config)
    .check({ ...good, ...declared })
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Refused);
  return (error as Refused).message;
}

// @covers 2B.Thread.values, 2B.Superstep
it.each([
  [{ deploymentId: undefined }, "deploymentId is missing: write the id of a deployment here, or deploymentUrl."],
  [{ deploymentUrl: "agents.example" }, 'must be a URL such as https://host/path, not "agents.example"'],
  [{ deploymentUrl: "ftp://agents.example" }, "begins with ftp:"],
  [{ deploymentUrl: "https://me:secret@agents.example" }, "holds a user or a password"],
  [{ deploymentUrl: "https://agents.example/a?b=c" }, "ends with ?b=c: write https://agents.example/a"],
  [{ deploymentId: "my-agent" }, 'deploymentId: must be a UUID, not "my-agent"'],
  [{ threadId: "session-1" }, 'threadId: must be a UUID, not "session-1"'],
  [{ copyFrom: id, threadId: id }, "threadId: excludes copyFrom"],
  [{ copyFrom: id, supersteps: [step({})] }, "supersteps: excludes copyFrom"],
  [{ supersteps: [] }, "supersteps: must be at least 1 items"],
  [
    { supersteps: [{ updates: [{ asNode: "a" }] }] },
    "supersteps.0.updates.0 changes nothing: write values, or a command.",
  ],
  [{ supersteps: [{ updates: [{ values: {} }] }] }, "supersteps.0.updates.0.asNode is required"],
  [
    { supersteps: [{ updates: [{ values: {}, as_node: "a" }] }] },
    'as_node is not a field here; did you mean "asNode"?',
  ],
  [{ metadata: { pulumi_thread: "x" } }, "metadata.pulumi_thread is reserved for the ownership marker"],
  [{ ttl: { ttl: 0 } }, "ttl.ttl"],
  [{ values: {} }, "values is the state that a thread has by now: write what it begins with as supersteps."],
])("%j is refused", async (declared, words) => {
  expect(await refusal(declared)).toContain(words);
});

// @covers 2B.agentgraph_auth_user_id
it("the server's own word for the key that the interface owns is refused, and ours is sent in its place", async () => {
  const vocabulary = { vocabulary: '{"agentgraph":"vendorgraph"}' };
  expect(await refusal({ metadata: { vendorgraph_auth_user_id: "ada" } }, vocabulary)).toContain(
    "write agentgraph_auth_user_id",
  );
  const agents = await startAgents({ vocabulary: { agentgraph: "vendorgraph" } });
  const stack = agents.stack({ config: vocabulary });
  const declared = agents.thread({ metadata: { agentgraph_auth_user_id: "ada", agentgraph_other: 1 } });
  await stack.up(declared);
  const { metadata } = await agents.one(heldBy(stack).id);
  expect(metadata).toMatchObject({ vendorgraph_auth_user_id: "ada", agentgraph_other: 1 });
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(declared)).toBe("same");
});

// @covers 2B.graph_id
it.each([
  [{ metadata: { team: "x" }, supersteps: [step({})] }, /^warn: supersteps: need metadata\.graph_id/],
  [{ supersteps: [{ updates: [{ values: {}, command: {}, asNode: "a" }] }] }, /has values and a command/],
  [
    { ttl: { ttl: 5, strategy: "forget" } },
    /^warn: ttl\.strategy: "forget" is not known; known are delete, keep_latest/,
  ],
])("%j is warned of", async (declared, words) => {
  const stack = stackOf();
  await stack.check({ ...good, ...declared });
  expect(stack.rows).toEqual([expect.stringMatching(words)]);
});

it("what is declared well is passed on as it is, and free-form values may be anything", async () => {
  const declared = {
    ...good,
    metadata: { graph_id: "g", a: null, b: [1, { c: false }], "": "" },
    supersteps: [{ updates: [{ command: { goto: "x", update: { a: [null] } }, asNode: "n" }] }],
    ttl: { ttl: 0.5, strategy: "keep_latest" },
  };
  expect(await stackOf().check(declared)).toMatchObject(declared);
});

it("a missing key is a warning at a preview for a deployment, and none for an address of one's own", async () => {
  const keyless = { controlPlaneUrl: "", apiKey: "" };
  const [ours, foreign] = [stackOf(keyless), stackOf(keyless)];
  await ours.check(good);
  expect(ours.rows.join()).toContain("Settings are missing: controlPlaneUrl, apiKey");
  await foreign.check({ deploymentUrl: "https://agents.example" });
  expect(foreign.rows).toEqual([]);
});

describe("sensitive", () => {
  const SECRET = "what nobody else may read";
  const sensitive = {
    sensitive: true,
    metadata: { graph_id: "echo", customer: SECRET, deep: { words: [SECRET] } },
    supersteps: [step({ messages: [{ role: "user", content: SECRET }] })],
  };
  /** What the engine would write in clear. */
  const inClear = (bag: unknown) =>
    JSON.stringify(bag, (_key, part) =>
      part?.[runtime.specialSigKey] === runtime.specialSecretSig ? "[encrypted]" : part,
    );

  it("keeps metadata and supersteps out of inputs and state in clear, each key by itself", async () => {
    const agents = await startAgents();
    const stack = agents.stack();
    const host = stack.host();
    const declared = agents.thread(sensitive);
    const { inputs } = await host.check({}, declared);
    expect(inClear(inputs)).not.toContain(SECRET);
    expect(inClear(inputs)).toContain('"customer":"[encrypted]"');
    const made = await host.create(await stack.check(declared, host));
    expect(inClear(made.outs)).not.toContain(SECRET);
    const seen = await host.read(made.id, JSON.parse(JSON.stringify(made.outs), unwrapped));
    expect(inClear(seen)).not.toContain(SECRET);
    expect(JSON.stringify(seen.props)).toContain(SECRET);
  });

  it("is off when absent", async () => {
    const { inputs } = await stackOf()
      .host()
      .check({}, { ...good, metadata: sensitive.metadata });
    expect(inClear(inputs)).toContain(SECRET);
  });

  it("counts as on while it is not known", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const { inputs } = await stackOf()
      .host()
      .check({}, { ...good, ...sensitive, sensitive: unknown });
    expect(inClear(inputs)).not.toContain(SECRET);
  });

  it("keeps them out of errors and rows, also where the server repeats them", async () => {
    const agents = await startAgents();
    const stack = agents.stack();
    await agents.emulator.faults.add({
      method: "POST",
      path: `${agents.base}/threads`,
      status: 422,
      body: { detail: `bad values: ${SECRET}` },
    });
    const { message } = await failureOf(stack.up(agents.thread(sensitive)));
    expect(message).toContain("bad values: [secret]");
    await stack.up(agents.thread(sensitive));
    const changed = { ...sensitive, metadata: { ...sensitive.metadata, customer: `${SECRET} either` } };
    expect(await stack.up(agents.thread(changed))).toBe("update");
    expect(stack.rows).toEqual(["info: in place: metadata.customer"]);
    expect(await refusal({ ...sensitive, metadata: SECRET })).not.toContain(SECRET);
  });
});

const unwrapped = (_key: string, part: { value?: unknown } & Record<string, unknown>) =>
  part?.[runtime.specialSigKey] === runtime.specialSecretSig ? part.value : part;
