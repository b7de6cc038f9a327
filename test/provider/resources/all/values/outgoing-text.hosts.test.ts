/** Printed texts never contain secrets or control sequences, nor values of users with `sensitive`. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { superstep } from "../../../../support/agents/threads";
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withImage } from "../../../../support/deployments/inputs";
import { failureOf, withoutRequestId } from "../../../../support/errors";
import { destination, startDestination } from "../../../../support/exports/destinations";
import { unmarkedPaths } from "../../../../support/hosts/plugin-secrets";
import { decryptSecrets } from "../../../../support/hosts/resource-host";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startProxy } from "../../../../support/servers/proxy";
import { CheckError, dynamicHostOnly, Stack, startStack, stateOf } from "../../../../support/stack";
import { type SampleKind, sampleKinds } from "../kinds";

const SECRET = "hunter-2/hunter+2";
const OLD = "the-value-before-42";
const OTHERS = "what-others-set-43";
const KEY = "agk_0123456789abcdef";
const base64 = (text: string) => Buffer.from(`user:${text}`).toString("base64");
const encodings = (text: string) => [
  ...[text, encodeURIComponent(text), JSON.stringify(JSON.stringify(`${text}`)), base64(text)],
];
const ESCAPES = "\u001b[2J\u001b]8;;http://evil.example\u0007\r\n::error::forged\n##vso[task.complete]\u202e<{%bad%}>";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed.
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]|^\s*::error::|##vso\[|<\{%/m;

function expectSafe(text: string, ...secrets: string[]): void {
  for (const encoded of secrets.flatMap(encodings)) expect(text).not.toContain(encoded);
  expect(text).not.toMatch(ACTING);
}

/** An error response that contains all of it, also in its request ID. */
const echo = (...secrets: string[]) => ({
  status: 400,
  body: { detail: `refused: ${secrets.flatMap(encodings).join(" ")} ${ESCAPES}` },
  headers: { "x-request-id": secrets.join("-") },
});

const declared = (change = {}) => dockerDeployment({ secrets: { MODEL_KEY: SECRET, ...change } });

async function agent(platform: Platform): Promise<Stack> {
  const config = { apiKey: KEY, agentHeaders: '{"X-Agent": "Bearer the-agents-token"}' };
  return startStack(platform, declared(), { config });
}

const operations: [string, string, (stack: Stack) => Promise<unknown>][] = [
  ["create", "POST", (stack) => stack.up(dockerDeployment({ name: "other", secrets: { MODEL_KEY: SECRET } }))],
  ["update", "PATCH", (stack) => stack.up(declared({ MORE: "1" }))],
  ["refresh", "GET", (stack) => stack.refresh()],
  ["delete", "DELETE", (stack) => stack.destroy()],
];

test.each(operations)("an error of a %s shows no secret, no API key and no header", async (verb, method, act) => {
  const platform = await startPlatform();
  const stack = await agent(platform);
  if (verb === "create") await stack.destroy();
  await platform.addFault({ method, times: 20, ...echo(SECRET, KEY, "the-agents-token") });
  const error = await failureOf(act(stack));
  expect(error.message).toMatch(/^Deployment "agent": \w+ failed: .*refused: \[secret\]/);
  expect(error.message).toContain("request ID  [secret]");
  for (const text of [error.message, String(error.stack)]) expectSafe(text, SECRET, KEY, "the-agents-token");
});

const PLAIN = { environment: { MODEL_KEY: "fast" } };
test.each([
  ["that rotates a secret", { secrets: { MODEL_KEY: OLD } }, {}],
  ["that makes a variable a secret", { secrets: { A: OLD }, environment: { MODEL_KEY: "plain" } }, {}],
  ["that makes a secret a variable", { secrets: { MODEL_KEY: OLD } }, { ...PLAIN, secrets: { A: SECRET } }],
])("the log and the cause of a failed rollout %s show no value from before it", async (_what, before, change) => {
  const { platform, stack, id } = await createDeployment(dockerDeployment(before));
  const marker = { name: "PULUMI_RESOURCE", value: `acme/${stack.urn}` };
  await platform.updateOutOfBand(id, { secrets: [marker, { name: "MODEL_KEY", value: OTHERS }] });
  const message = `refused ${OLD} and ${SECRET} and ${base64(OLD)} and ${OTHERS} ${ESCAPES}`;
  const logs = [
    { level: "ERROR", message },
    { level: "INFO", message: `half ${OLD.slice(0, 9)}` },
    { level: "INFO", message: `${OLD.slice(9)} done` },
  ];
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs } });
  const error = await failureOf(stack.up({ ...declared(), ...change }));
  expect(error.message).toMatch(/cause +refused \[secret\] and \[secret\]/);
  expect(error.message).toMatch(/\| .*half \[secret\]\n.*\| .* done/);
  expectSafe(error.message, SECRET, OLD, OTHERS);
  expect(error.message).not.toContain(OLD.slice(0, 9));
  for (const reason of (error as Error & { reasons: string[] }).reasons) expectSafe(reason, SECRET, OLD);
});

// The engine passes to the plugin what the program marks: test/plugin/values/secrets.test.ts has the same for it.
dynamicHostOnly(test)("a secret that a rollback restores is encrypted in state, and shown by no later up", async () => {
  const { platform, stack } = await startDeployment();
  const declared = dockerDeployment({ rollbackOnFailure: true, redeployTriggers: { a: OLD } });
  await stack.up(declared, stack.host(), { __secretInputs: ["redeployTriggers.a"] });
  const host = stack.host();
  const inputs = await stack.check(dockerDeployment({ rollbackOnFailure: true, ...withImage("2") }), host);
  for (let { id, outputs } = stateOf(stack), count = 0; count < 2; count++) {
    await platform.addFault({ revision: { ends: "BUILD_FAILED", logs: [{ level: "ERROR", message: `no ${OLD}` }] } });
    const error = (await failureOf(host.update(id, outputs, inputs))) as Error & { properties: PropertyMap };
    expect(error.message).toMatch(/cause +no \[secret\].*Rolled back/s);
    expectSafe(error.message + stack.messages.join("\n"), OLD);
    expect(error.properties).toMatchObject({ __secretInputs: ["redeployTriggers.a"] });
    expect(JSON.stringify(error.properties)).toContain(OLD);
    expect(unmarkedPaths(error.properties, OLD)).toEqual([]);
    outputs = decryptSecrets(error.properties);
  }
});

test("the last status of a failed rollout is its cause", async () => {
  const { platform, stack } = await startDeployment();
  const logs = [{ level: "ERROR", message: `no tag 1 for ${SECRET}\nsecond line` }];
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs } });
  await failureOf(stack.up(declared()));
  expect(stack.messages.at(-1)).toMatch(
    /^progress: failed with DEPLOY_FAILED after \d+ s: no tag 1 for \[secret\] second line$/,
  );
  stack.messages = [];
  await platform.addFault({ revision: { ends: "BUILD_FAILED", logs: [{ level: "INFO", message: "all well" }] } });
  await failureOf(stack.up(declared({ MORE: "1" })));
  expect(stack.messages.at(-1)).toMatch(/^progress: failed with BUILD_FAILED after \d+ s$/);
});

test("a status is one line without control sequences", async () => {
  const platform = await startPlatform();
  let polls = 0;
  const url = await startProxy(platform.url, ({ path }) => {
    const [, id] = /\/revisions\/([^/]+)$/.exec(path) ?? [];
    return id && ++polls < 3 ? { status: 200, body: { id, status: `QUEUED${ESCAPES}` } } : undefined;
  });
  const stack = new Stack({ url, clock: platform.clock });
  await stack.up(declared());
  const rows = stack.messages.filter((row) => row.includes("QUEUED"));
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expectSafe(row);
  expect(rows.join()).not.toContain("\n");
});

/** Values that check rejects: marked secret by the program, or a secret as they are. */
const rejected: [kind: string, input: string, value: unknown][] = [
  ["Thread", "supersteps", '[{"token":"s3cr3t-canary"}]'],
  ["Thread", "metadata", "s3cr3t-canary"],
  ["Thread", "threadId", { nested: "s3cr3t-canary" }],
  ["Thread", "deploymentUrl", "s3cr3t-canary"],
  ["Assistant", "context", "s3cr3t-canary"],
  ["Deployment", "source", "abc"],
  ["ScheduledBulkExport", "filter", ["s3cr3t-canary"]],
  ["ScheduledBulkExport", "startTime", "s3cr3t-canary"],
];

test.each(rejected)("a failed check of a %s shows nothing of its secret %s", async (kind, input, value) => {
  const { stack } = await startDeployment({ stack: { kind } });
  const declared = { ...(kind === "Deployment" ? dockerDeployment() : {}), [input]: value };
  const error = await failureOf(stack.check(declared, stack.host(), { __secretInputs: [input] }));
  expect(error).toBeInstanceOf(CheckError);
  // The engine prints the value of a property that a failure names.
  expect((error as CheckError).failures.filter(({ property }) => property !== "")).toEqual([]);
  expect(error.message).toMatch(new RegExp(`^${input}`, "m"));
  expect(error.message).not.toMatch(/s3cr3t|canary|abc/);
});

test("the password in a URL is shown by no failed check and no warning, whether marked secret or not", async () => {
  const platform = await startPlatform();
  const url = "https://user:pass-w0rd@agents.example.com";
  const thread = new Stack(platform, { kind: "Thread" });
  const { message } = await failureOf(thread.check({ deploymentUrl: url }));
  expect(message).toMatch(/^deploymentUrl must not contain a user name or password/);
  const query = await failureOf(thread.check({ deploymentUrl: "https://agents.example.com?token=pass-w0rd" }));
  expect(query.message).toMatch(/^deploymentUrl must not have a query/);
  const stack = new Stack(platform);
  const inputs = { source: "githost", name: "agent", sourceRevisionConfig: { agentgraphConfigPath: "a.json" } };
  await failureOf(stack.check({ ...inputs, waitFor: url, sourceConfig: { repoUrl: "https://git:pass-w0rd@[bad" } }));
  await stack.check({ ...inputs, sourceConfig: { repoUrl: "git:pass-w0rd@host" } });
  await stack.check({ ...dockerDeployment(), sourceConfig: { customUrl: `${url}:not-a-port` } });
  for (const text of [message, query.message, ...stack.messages]) expect(text).not.toMatch(/pass-|w0rd/);
});

test("a secret inside an input hides its own value, and not the other words of the input", async () => {
  const { platform, stack } = await startDestination();
  const declared = destination(platform, { config: { bucketName: "exports", prefix: "s3cr3t-prefix" } });
  await platform.addFault({ method: "POST", status: 400, body: { detail: "no such prefix: s3cr3t-prefix" } });
  const up = stack.up(declared, stack.host(), { __secretInputs: ["config.prefix"] });
  await expect(up).rejects.toThrow(/POST \/api\/v1\/bulk-exports\/destinations: 400: no such prefix: \[secret\]/);
});

test("a common cause is shown once, and other resources refer to the first one", async () => {
  const platform = await startPlatform({ apiKey: "the-right-key" });
  const [first, second] = ["a", "b"].map((name) => new Stack(platform, { name })) as [Stack, Stack];
  const host = first.host({ apiKey: "a-wrong-key" });
  const { message } = await failureOf(first.up(dockerDeployment({ name: "a" }), host));
  expect(message).toMatch(/^Deployment "a": create failed: .*403.*\nThe API key may be wrong.*\n {2}server/s);
  await expect(second.up(dockerDeployment({ name: "b" }), host)).rejects.toThrow(
    /^Deployment "b": create failed: .*403.* \(details: Deployment "a"\)\n {2}request ID {2}\d+$/,
  );
  // The first one shows all of it again.
  const { message: again } = await failureOf(first.up(dockerDeployment({ name: "a" }), host));
  expect(withoutRequestId(again)).toBe(withoutRequestId(message));
});

const VALUE = "what-nobody-else-may-read";
const values = { graph_id: "echo", customer: VALUE, deep: { words: [VALUE] } };
const KINDS: Record<string, PropertyMap> = {
  Thread: { metadata: values, supersteps: [superstep({ messages: [{ role: "user", content: VALUE }] })] },
  Assistant: { context: { prefix: VALUE }, metadata: values },
  Cron: { webhook: `https://1.1.1.1/${VALUE}`, input: values, context: values, metadata: values },
};

/** The text that the engine would store unencrypted. */
const plainText = (properties: unknown) =>
  JSON.stringify(properties, (_key, part) => (part?.["4dabf18193072939515e22adb298388d"] ? "[encrypted]" : part));

describe.each(Object.entries(KINDS))("a sensitive %s", (kind, inputs) => {
  async function start() {
    const { platform, stack, declared, path } = await (sampleKinds[kind] as SampleKind).start();
    return { platform, stack, declared: { ...declared, ...inputs, sensitive: true }, path: path("").slice(0, -1) };
  }

  it("is encrypted in inputs and state, each key separately, unless the option is false", async () => {
    const { stack, declared } = await start();
    const host = stack.host();
    const check = async (sensitive?: unknown) =>
      plainText((await host.check({}, { ...declared, sensitive, __urn: stack.urn })).inputs);
    for (const sensitive of [true, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"]) {
      expect(await check(sensitive)).not.toContain(VALUE);
      expect(await check(sensitive)).toContain('"customer":"[encrypted]"');
    }
    expect(await check()).toContain(VALUE);
    const created = await host.create(await stack.check(declared, host));
    const refreshed = await host.read(created.id, decryptSecrets(created.outs));
    for (const properties of [created.outs, refreshed.props, refreshed.inputs])
      expect(plainText(properties)).not.toContain(VALUE);
    expect(JSON.stringify(refreshed.props)).toContain(VALUE);
  });

  it("is shown by no error and no message, even in the server's response", async () => {
    const { platform, stack, declared, path } = await start();
    const body = { detail: `bad values: ${VALUE}` };
    await platform.addFault({ method: "POST", path, status: 422, body });
    await expect(stack.up(declared)).rejects.toThrow("bad values: [secret]");
    await stack.up(declared);
    const changed = { ...declared, metadata: { ...values, customer: `${VALUE} either` } };
    expect(await stack.up(changed)).toBe("update");
    expect(stack.messages.join()).toContain("metadata.customer");
    const wrong = await failureOf(stack.check({ ...declared, metadata: VALUE }));
    for (const text of [...stack.messages, wrong.message]) expect(text).not.toContain(VALUE);
  });
});
