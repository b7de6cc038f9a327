/** `agentgraph doctor` against the emulator: it names problems and remedies, changes nothing and prints no API key. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultTenantId } from "../../../emulator/src";
import { ANSWERS, byId, call, emulator, folder, KEY, runDoctor, settings, tool } from "../support/doctor";

test("without problems doctor exits with code 0, and has sent only GET and OPTIONS requests", async () => {
  const { requestLog } = await emulator();
  const { code, stdout } = await call(settings());
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/\nNothing to fix\.\n$/);
  expect(code).toBe(0);
  expect(stdout).toContain("API key from the environment variable AGENTGRAPH_API_KEY");
  expect(stdout).toContain("0 of 200 active schedules");
  expect(stdout).toContain("0 of 250 exports created in the last hour");
  expect(stdout).toContain("supports all 9 optional routes");
  expect(stdout).toContain("supports all 8 optional routes");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character of colors, which a pipe must not get.
  expect(stdout).not.toMatch(/\u001b/);
  expect(new Set(requestLog.entries().map(({ method }) => method))).toEqual(new Set(["GET", "OPTIONS"]));
});

test.each([
  ["an invalid", "Invalid API key", "2030-01-01T00:00:00Z", "a-wrong-key", /may be wrong or expired/],
  ["an expired", "The API key has expired", "2020-01-01T00:00:00Z", KEY, /Create a new one/],
])("%s API key is reported with its source, and never printed", async (_what, why, expires_at, key, remedy) => {
  const { seed } = await emulator({ apiKey: undefined });
  await seed({ keys: [{ key: KEY, workspaces: [defaultTenantId], expires_at }] });
  const { code, control, tracing } = await runDoctor({ ...settings(), AGENTGRAPH_API_KEY: key });
  expect(code).toBe(1);
  for (const [check] of [control, tracing]) {
    const message = expect.stringMatching(new RegExp(`^API key rejected: ${why} \\(request ID \\d+\\)$`));
    expect(check).toMatchObject({ id: "connection", status: "fix", message, remedy: expect.stringMatching(remedy) });
    expect(check?.remedy).toMatch(/API key +from the environment variable AGENTGRAPH_API_KEY/);
    expect(JSON.stringify(check)).not.toContain(key);
  }
});

test("what a terminal or a pipeline interprets is removed from the error of a server, and so is the key", async () => {
  const { faults } = await emulator();
  const detail = `refused ${KEY} \u001b[2J\u001b[31mred\r\n::error::forged\n##vso[x] \u202e`;
  await faults.add({ path: "/v2/deployments", times: 9, status: 401, body: { detail } });
  const { control } = await runDoctor();
  expect(control[0]?.message).toContain("refused [secret] red\n: :error::forged\n# #vso[x] \\u202e (request");
});

describe("the settings in state", () => {
  const SECRET = "4dabf18193072939515e22adb298388d";
  const plaintext = (value: unknown) => ({
    [SECRET]: "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
  });

  /** Runs doctor with a stack configuration and a provider in state. @returns The check of the settings in state. */
  async function compare(config: Record<string, string>, type: string, inputs: object, name = "default") {
    await emulator();
    const urn = `urn:pulumi:dev::shop::pulumi:providers:${type}::${name}`;
    const state = { deployment: { resources: [{ type: `pulumi:providers:${type}`, urn, inputs }] } };
    const printed = (value: string) => ({ value, secret: value === KEY });
    const entries = Object.entries(config).map(([key, value]) => [`agentgraph:${key}`, printed(value)]);
    writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    writeFileSync(join(folder, "state.json"), JSON.stringify(state));
    writeFileSync(join(folder, "config.json"), JSON.stringify(Object.fromEntries(entries)));
    const hidden = '$(case "$*" in *show-secrets*) ;; *) echo s/plaintext/hidden/; esac)';
    const exported = `sed "${hidden}" "${folder}/state.json"`;
    tool("pulumi", `case "$1" in ${ANSWERS} stack) ${exported};; *) cat "${folder}/config.json";; esac`);
    const { settings: checks } = await runDoctor();
    return byId(checks, "stored-settings");
  }

  test.each([
    ["pulumi-nodejs", { "agentgraph:apiKey": plaintext("an-old-key") }],
    ["agentgraph", { apiKey: plaintext("an-old-key") }],
  ])("of %s are compared with the stack configuration, and no key is shown", async (type, inputs) => {
    const check = await compare({ apiKey: KEY }, type, inputs);
    expect(check).toMatchObject({ status: "note", remedy: expect.stringContaining("Run `pulumi up`") });
    expect(check?.message).toContain("in the stack configuration, apiKey changed since the last `pulumi up`");
    expect(JSON.stringify(check)).not.toContain("an-old-key");
  });

  test("are not mentioned where they are equal, in whichever form", async () => {
    const config = { apiKey: KEY, agentHeaders: '{"X-Team": "a"}', maxConcurrentRequests: "7" };
    const stored = { apiKey: plaintext(KEY), agentHeaders: { "X-Team": plaintext("a") }, maxConcurrentRequests: 7 };
    expect(await compare(config, "agentgraph", { ...stored, version: "0.1.0" })).toBeUndefined();
    const inState = { agentHeaders: plaintext({ "X-Team": "a" }) };
    expect(await compare({ agentHeaders: config.agentHeaders }, "agentgraph", inState)).toBeUndefined();
  });

  test("of an explicit provider are not compared, since it does not use the stack configuration", async () => {
    expect(await compare({ apiKey: KEY }, "agentgraph", { apiKey: plaintext("an-old-key") }, "eu")).toBeUndefined();
  });
});

test("the resources whose logs are shown are listed, and a name that the state does not have is a note", async () => {
  await emulator();
  const type = "pulumi-nodejs:dynamic/agentgraph:Deployment";
  const resources = [{ type, urn: `urn:pulumi:dev::shop::${type}::support-agent`, inputs: {} }];
  writeFileSync(join(folder, "state.json"), JSON.stringify({ deployment: { resources } }));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  tool("pulumi", `case "$1" in ${ANSWERS} stack) cat "${folder}/state.json";; *) echo "{}";; esac`);
  const streamed = async (value: string) => {
    const { settings: checks } = await runDoctor({ ...settings(), AGENTGRAPH_STREAM_LOGS: value });
    return checks.filter(({ id }) => id === "streamLogs");
  };
  expect(await streamed("false")).toEqual([]);
  expect(await streamed("support-agent,suport-agent")).toMatchObject([
    {
      status: "ok",
      message:
        "streamLogs: shows the logs of support-agent, suport-agent, from the environment variable " +
        "AGENTGRAPH_STREAM_LOGS",
    },
    {
      status: "note",
      message: "streamLogs: the state has no Deployment named suport-agent; did you mean support-agent?",
    },
  ]);
});

test("an active request log and active traces are listed, without the key of a collector", async () => {
  await emulator();
  const active = async (env: Record<string, string>) => {
    const { settings: checks } = await runDoctor({ ...settings(), ...env });
    return checks.filter(({ id }) => id === "requestLog" || id === "traces").map(({ message }) => message);
  };
  expect(await active({})).toEqual([]);
  expect(
    await active({
      ...{ AGENTGRAPH_REQUEST_LOG: "requests.jsonl", AGENTGRAPH_REQUEST_LOG_BODIES: "true" },
      PULUMI_OPTION_OTEL_TRACES: "grpcs://collector.example:443?x-team=canary",
    }),
  ).toEqual([
    "requestLog: appends each request with bodies to requests.jsonl, from the environment variable " +
      "AGENTGRAPH_REQUEST_LOG",
    "traces: exported to grpcs://collector.example:443, from the environment variable PULUMI_OPTION_OTEL_TRACES",
  ]);
});

test("each missing setting is reported with the command that sets it", async () => {
  const { code, settings: found } = await runDoctor({});
  expect(code).toBe(1);
  const fixedBy = (command: string) => ({ status: "fix", remedy: expect.stringContaining(command) });
  expect(byId(found, "key")).toMatchObject(fixedBy("pulumi config set --secret agentgraph:apiKey <key>"));
  expect(byId(found, "controlPlaneUrl")).toMatchObject(fixedBy("pulumi config set agentgraph:url <url>"));
});

test("the variables of the platform's own tools are enough, and each value is shown with its source", async () => {
  const { urls } = await emulator();
  const found = await runDoctor({ LANGSMITH_API_KEY: KEY, LANGSMITH_ENDPOINT: `${urls.controlPlane}/api/v1` });
  expect(found.code).toBe(0);
  const messages = [...found.settings, ...found.tracing].map(({ message }) => message);
  for (const message of [
    "API key from the environment variable LANGSMITH_API_KEY",
    `controlPlaneUrl: ${urls.controlPlane}, from the environment variable LANGSMITH_ENDPOINT`,
    "tenantId is not set: the only workspace of the API key is used, where the server lists it",
    `workspace ${defaultTenantId}, the only one of the API key, exists and the API key can access it`,
  ])
    expect(messages).toContain(message);
});

test("several workspaces are listed: as a note, or as a problem where exports are set up", async () => {
  const { seed, urls } = await emulator({ apiKey: undefined });
  const other = "bbbbbbbb-0000-4000-8000-000000000002";
  const workspaces = [{ id: other, name: "Team B" }];
  await seed({ workspaces, keys: [{ key: KEY, workspaces: [defaultTenantId, other] }] });
  const env = { AGENTGRAPH_API_KEY: KEY, AGENTGRAPH_URL: urls.controlPlane };
  const message = expect.stringContaining(`${other}  Team B`);
  expect((await runDoctor(env)).tracing).toEqual([{ id: "tenant", status: "note", message }]);
  const own = { ...env, AGENTGRAPH_TRACING_API_URL: urls.controlPlane };
  expect((await runDoctor(own)).tracing).toEqual([{ id: "tenant", status: "fix", message }]);
});

test("an unreachable server is reported without retries", async () => {
  const { code, control } = await runDoctor(settings("http://127.0.0.1:1"));
  expect(code).toBe(1);
  expect(control).toMatchObject([
    {
      status: "fix",
      message: expect.stringContaining("no response"),
      remedy: expect.stringContaining("Nothing is listening"),
    },
  ]);
});

test("a workspace that the API key cannot access is a problem", async () => {
  const { seed } = await emulator({ apiKey: undefined });
  await seed({ keys: [{ key: KEY, workspaces: [defaultTenantId] }] });
  const { code, tracing } = await runDoctor({
    ...settings(),
    AGENTGRAPH_TENANT_ID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
  });
  expect(code).toBe(1);
  expect(tracing).toMatchObject([{ status: "fix", message: expect.stringContaining("API key rejected") }]);
});

test("a plan without exports is a note, since a program may declare none", async () => {
  await emulator({ plan: "developer" });
  const { code, tracing } = await runDoctor();
  expect(code).toBe(0);
  expect(byId(tracing, "limits")).toMatchObject({
    status: "note",
    message: expect.stringContaining("no access to exports"),
    remedy: expect.stringContaining("require the Enterprise plan"),
  });
});

test("missing routes are reported with their consequences", async () => {
  await emulator({ without: ["delete", "redeploy", "logs", "build-logs-v1", "export-cancel", "sessions"] });
  const { code, control, tracing } = await runDoctor();
  expect(code).toBe(0);
  const missing = [...control, ...tracing].filter(({ id }) => id === "missing-route").map(({ message }) => message);
  expect(missing).toEqual([
    expect.stringMatching(
      /^has no route to delete deployments \(DELETE \/v2\/deployments\/<id>\): a destroy removes them from state only/,
    ),
    expect.stringMatching(/^has no route to redeploy a revision/),
    expect.stringMatching(/^has no route to read logs/),
    expect.stringMatching(/^has no route to list projects/),
    expect.stringMatching(/^has no route to cancel exports .*forget: true/),
  ]);
  expect(byId(control, "routes")?.message).toMatch(/^profile: supports 6 of 9 optional routes: /);
});

test("clock skew is reported in minutes", async () => {
  const { clock } = await emulator();
  await clock.advance(20 * 60_000);
  const { code, control } = await runDoctor();
  expect(code).toBe(0);
  expect(byId(control, "clock")).toMatchObject({
    status: "note",
    message: "clock is 20 minutes ahead of the clock of this machine",
    remedy: expect.stringContaining("Ignore this if you moved the clock of an emulator"),
  });
});
