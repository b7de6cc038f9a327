/** Settings: where they come from, what is wrong with them, and what is missing. */
import { describeMissing, parseMissing } from "../../../provider/settings/setting-warnings";
import { EXPLICIT, readSettings } from "../../../provider/settings/settings";
import { enough, problemOf, read } from "./support/settings";

/** Settings from an explicit Provider. */
const readProvider = (args: Record<string, unknown>, environment: Record<string, string> = {}) =>
  readSettings((key) => (key === EXPLICIT ? "true" : args[key.replace("agentgraph:", "")]), environment);

it("Settings have defaults for all but the URL and the API key", () => {
  const settings = read(enough);
  expect([settings.tenantId, settings.requestsPerSecond]).toEqual([undefined, undefined]);
  expect(settings).toMatchObject({
    ...{ auth: { apiKey: "k-secret" }, vocabulary: { githost: "githost", agentgraph: "agentgraph" } },
    ...{ ownerMarker: true, resumeWithinMs: 3_600_000, maxConcurrentRequests: 100, requestTimeoutMs: 30_000 },
    ...{ allowServerChange: false, tracingApiUrl: undefined },
    missing: { controlPlane: [], tracing: [{ name: "tracingApiUrl" }] },
  });
});

it("Settings are parsed from strings, as in configuration and environment", () => {
  const config = {
    ...enough,
    vocabulary: '{"githost":"gitplace"}',
    ownerMarker: "false",
    requestsPerSecond: "2.5",
    resumeWithin: "0s",
  };
  expect(read(config)).toMatchObject({
    ...{ vocabulary: { githost: "gitplace", agentgraph: "agentgraph" }, ownerMarker: false, requestsPerSecond: 2.5 },
    resumeWithinMs: 0,
  });
});

it.each<[string | undefined, boolean | string[]]>([
  [undefined, false],
  ["true", true],
  ["false", false],
  ["support-agent", ["support-agent"]],
  ["support-agent, billing-agent,", ["support-agent", "billing-agent"]],
  ['["support-agent"]', ["support-agent"]],
])("streamLogs is parsed from %p", (text, expected) => {
  expect(read({ ...enough, ...(text !== undefined && { streamLogs: text }) }).streamLogs).toEqual(expected);
  expect(read(enough, text === undefined ? {} : { AGENTGRAPH_STREAM_LOGS: text }).streamLogs).toEqual(expected);
});

it.each([
  ["yes", true],
  ["*", true],
  ["yes,no", false],
  ["support-agent", false],
])("streamLogs as %p is a probable mistake: %p", (streamLogs, isMistake) => {
  const texts = read({ ...enough, streamLogs }).warnings.map(({ text }) => text);
  const warning =
    `streamLogs: "${streamLogs}" is taken as the name of a resource. Did you mean true? (from stack ` +
    "configuration agentgraph:streamLogs)";
  expect(texts).toEqual(isMistake ? [warning] : []);
});

it.each(["apiKey", "bearerToken", "tenantId"])("%s is rejected when it is not a valid header", (key) => {
  const { apiKey: _, ...others } = enough;
  const problem = problemOf(() => read({ ...others, apiKey: key === "bearerToken" ? undefined : "k", [key]: "a\nb…" }));
  expect(problem).toMatch(new RegExp(`${key}: .*not allowed in an HTTP header`));
  expect(problem).not.toContain("b…");
});

it("An API key from another variable is rejected when it is not a valid header", () => {
  const problem = problemOf(() => read({ ...enough, apiKey: undefined, apiKeyEnv: "MY_KEY" }, { MY_KEY: "a\nb…" }));
  expect(problem).toBe(
    "The environment variable MY_KEY contains characters that are not allowed in an HTTP header, such as a line break.",
  );
});

it("Settings of agent servers are a map and a list, and an invalid header is rejected without showing it", () => {
  const config = { ...enough, agentHeaders: '{"x-user":"ada"}', agentOrigins: '["https://agents.example/base"]' };
  expect(read(config)).toMatchObject({ agentHeaders: { "x-user": "ada" }, agentOrigins: ["https://agents.example"] });
  for (const headers of [{ "x-user": "a\nsecret" }, { "no name secret": "x" }]) {
    const problem = problemOf(() => read({ ...enough, agentHeaders: JSON.stringify(headers) }));
    expect(problem).toMatch(/agentHeaders.*(not allowed in an HTTP header|valid HTTP header name)/);
  }
  const problem = problemOf(() => read({ ...enough, agentHeaders: '{"x-user":"a\\nsecret"}' }));
  expect(problem).not.toContain("secret");
});

it("Settings are trimmed of trailing line breaks, and a blank one is unset", () => {
  const environment = { AGENTGRAPH_API_KEY: "k-1\n", AGENTGRAPH_TENANT_ID: " " };
  const { auth, tenantId } = read({ controlPlaneUrl: "https://control.example" }, environment);
  expect({ auth, tenantId }).toEqual({ auth: { apiKey: "k-1" }, tenantId: undefined });
});

it("Settings come from stack configuration before the environment, and an empty string is unset", () => {
  const environment = { AGENTGRAPH_API_KEY: "from-env", AGENTGRAPH_TENANT_ID: "t", AGENTGRAPH_OWNER_ID: "" };
  const { auth, tenantId, ownerId } = read({ ...enough, apiKey: "from-config" }, environment);
  expect([auth, tenantId, ownerId]).toEqual([{ apiKey: "from-config" }, "t", undefined]);
});

describe("Settings of an explicit Provider", () => {
  it("are its own arguments only", () => {
    const environment = { AGENTGRAPH_API_KEY: "from-env", AGENTGRAPH_TENANT_ID: "t" };
    const { auth, tenantId } = readProvider({ controlPlaneUrl: enough.controlPlaneUrl }, environment);
    expect([auth, tenantId]).toEqual([undefined, undefined]);
  });

  it("except for the API key that apiKeyEnv refers to", () => {
    const settings = readProvider({ ...enough, apiKey: undefined, apiKeyEnv: "TEAM_KEY" }, { TEAM_KEY: " k2\n" });
    expect(settings.auth).toEqual({ apiKey: "k2" });
    expect(settings.sources.apiKey).toBe("the environment variable TEAM_KEY");
  });

  it("and for what the run shows and writes, which an argument overrides", () => {
    const environment = { AGENTGRAPH_STREAM_LOGS: "true", AGENTGRAPH_REQUEST_LOG: "requests.jsonl" };
    expect(readProvider(enough, environment)).toMatchObject({ streamLogs: true, requestLog: "requests.jsonl" });
    expect(readProvider({ ...enough, streamLogs: "false" }, environment).streamLogs).toBe(false);
  });

  it("are reported as missing arguments", () => {
    const missing = describeMissing(readProvider({}).missing.controlPlane);
    // Functions report it as well, and have no resource.
    expect(missing).toMatch(/^ {2}url: pass it to the Provider as an argument\.$/m);
    expect(missing).not.toContain("pulumi config set");
  });
});

describe("A probable mistake is a warning:", () => {
  const warningsOf = (config: Record<string, unknown>) => read({ ...enough, ...config }).warnings;
  const uuid = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";

  it("a tenantId that is not a UUID", () => {
    const text = expect.stringMatching(
      /^tenantId: "acme" is not a UUID; .*\(from stack configuration agentgraph:tenantId\)/,
    );
    expect(warningsOf({ tenantId: "acme" })).toEqual([{ text }]);
    expect(warningsOf({ tenantId: uuid })).toEqual([]);
  });

  it("no workspace for the tracing API of a server that is not known", () => {
    expect(warningsOf({ tracingApiUrl: "https://traces.example" })).toEqual([
      { server: "tracing", text: expect.stringMatching(/^tenantId: is not set\..*agentgraph:tenantId <id>/) },
    ]);
    expect(warningsOf({ tracingApiUrl: "https://traces.example", platform: "langsmith" })).toEqual([]);
  });

  it("a bearer token without an API key, for bulk exports only", () => {
    expect(warningsOf({ apiKey: undefined, bearerToken: "b" })).toEqual([
      {
        server: "tracing",
        text: expect.stringMatching(/^apiKey: bulk exports require .*pulumi config set --secret agentgraph:apiKey/),
      },
    ]);
    expect(warningsOf({ bearerToken: "b" })).toEqual([]);
  });
});

describe("A missing setting", () => {
  it("is reported in one message with configuration key, environment variable and command", () => {
    const missing = describeMissing(read({}).missing.controlPlane);
    expect(parseMissing(missing)).toEqual(["url", "apiKey"]);
    expect(parseMissing("Settings are not valid")).toBeUndefined();
    for (const words of [
      ...["pulumi config set agentgraph:url <url>", "AGENTGRAPH_URL"],
      ...["pulumi config set --secret agentgraph:apiKey <key>", "AGENTGRAPH_API_KEY"],
    ]) {
      expect(missing).toContain(words);
    }
  });

  // @covers 5.item 2
  it("depends on the server: the control plane requires no workspace, and each server only its own URL", () => {
    const exporting = { apiKey: "k", tracingApiUrl: "https://tracing.example", tenantId: "t" };
    expect(read(exporting).missing).toEqual({
      controlPlane: [{ name: "controlPlaneUrl", remedy: expect.stringContaining("pulumi config set") }],
      tracing: [],
    });
    const tracing = describeMissing(read(enough).missing.tracing);
    expect(tracing).toMatch(/^Settings are missing: tracingApiUrl\n/);
    expect(tracing).toContain("pulumi config set agentgraph:tracingApiUrl <url>");
  });

  it("includes the variable that apiKeyEnv refers to, when it is empty", () => {
    const { missing } = read({ ...enough, apiKey: undefined, apiKeyEnv: "TEAM_KEY" });
    expect(missing.controlPlane).toEqual([{ name: "apiKey", remedy: expect.stringContaining("TEAM_KEY") }]);
  });

  it.each(["lsv2_pt_0a1b2c", "sk-1234"])("never includes an API key that apiKeyEnv contains: %s", (apiKeyEnv) => {
    const [{ remedy } = { remedy: "" }] = read({ ...enough, apiKey: undefined, apiKeyEnv }).missing.controlPlane;
    expect(remedy).toContain("It is not shown");
    expect(remedy).not.toContain(apiKeyEnv);
  });

  it("does not include the API key when there is a bearer token", () => {
    const { auth, missing } = read({ controlPlaneUrl: enough.controlPlaneUrl, bearerToken: "b" });
    expect([auth, missing.controlPlane]).toEqual([{ bearerToken: "b" }, []]);
  });
});

it.each(["http://127.0.0.1:7420", "http://localhost", "http://[::1]:1", "http://127.1.2.3", "https://control.example"])(
  "accept the address %s",
  (controlPlaneUrl) => {
    expect(read({ ...enough, controlPlaneUrl }).controlPlaneUrl?.href).toContain(controlPlaneUrl);
  },
);

it("Settings accept plain HTTP elsewhere with allowInsecureHttp", () => {
  const config = { ...enough, controlPlaneUrl: "http://control.example", allowInsecureHttp: "true" };
  expect(read(config).controlPlaneUrl?.protocol).toBe("http:");
});
