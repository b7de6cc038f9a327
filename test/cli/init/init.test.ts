/** What `agentgraph init` finds, what it would write to the stack configuration, and what it says about it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../../cli/init/connect";
import { toJson, toText } from "../../../cli/init/report";
import { readInitSettings } from "../../../cli/init/settings";
import { type InitOptions, valuesToWrite } from "../../../cli/init/values";
import type { Config } from "../../../cli/shared/pulumi/stack-config";
import type { EmulatorOptions } from "../../../emulator/src";
import { newFolder } from "../../../emulator/test/support/folder";
import { failureOf } from "../../support/errors";
import { type Platform, startPlatform } from "../../support/platform";
import { startRewritingProxy } from "../../support/servers/rewriting-proxy";
import { assertOutput } from "../support/output-schema";

const KEY = "the-key-of-init";
const TEAM_A = "aaaaaaaa-0000-4000-8000-000000000001";
const TEAM_B = "bbbbbbbb-0000-4000-8000-000000000002";
const WORDS = { githost: "github", agentgraph: "langgraph" };

interface Situation {
  config?: Config;
  /** Keys of the configuration. */
  encrypted?: string[];
  options?: InitOptions;
  env?: Record<string, string>;
  /** The reply of a user on a terminal. */
  answer?: string;
}

async function init({ config = {}, encrypted = [], options = {}, env = {}, answer }: Situation) {
  const settings = readInitSettings(config, options, { LANGSMITH_API_KEY: KEY, ...env });
  const ask = answer === undefined ? undefined : async () => answer;
  const found = await connect(settings, ask, Date.now);
  const values = valuesToWrite(found, { config, encrypted: new Set(encrypted) }, options);
  const report = { found, values, keepsKey: options.storeKey !== true, stack: undefined };
  const written = Object.fromEntries(values.map(({ key, value }) => [`agentgraph:${key}`, value]));
  const json = toJson(report);
  assertOutput(["init", "--json"], JSON.stringify(json));
  return { written, values, text: toText(report), json };
}

const start = (options: EmulatorOptions = {}) => startPlatform({ apiKey: KEY, ...options });

/** Starts a platform whose API key is valid for two workspaces. */
async function startWithTeams(): Promise<Platform> {
  const platform = await startPlatform();
  const workspaces = [
    { id: TEAM_A, name: "Team A" },
    { id: TEAM_B, name: "Team B" },
  ];
  await platform.emulator.seed({ workspaces, keys: [{ key: KEY, organization: true, workspaces: [TEAM_A, TEAM_B] }] });
  return platform;
}

test("the variables of the platform's own tools are enough: the base URL is written, and not the key", async () => {
  const { url, emulator } = await start();
  const env = { LANGSMITH_ENDPOINT: `${url}/api/v1` };
  const { written, text, json } = await init({ env });
  expect(written).toEqual({ "agentgraph:url": url });
  expect(text).toContain(`  url: ${url} (the environment variable LANGSMITH_ENDPOINT)\n`);
  expect(text).toContain("  apiKey: from the environment variable LANGSMITH_API_KEY\n");
  expect(text).toContain("The API key stays where it is");
  expect(text + JSON.stringify(json)).not.toContain(KEY);
  expect(new Set(emulator.requestLog.entries().map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("a second run writes nothing, and says so", async () => {
  const { url } = await start({ vocabulary: WORDS });
  const { written: config } = await init({ options: { url, apiKeyEnv: "LANGSMITH_API_KEY" } });
  const again = await init({ config, options: { url, apiKeyEnv: "LANGSMITH_API_KEY" } });
  expect(again.written).toEqual({});
  expect(again.text).toContain("Nothing to write: the configuration of the selected stack is complete.");
  expect((await init({ config })).written).toEqual({});
});

test("the prefix of a self-hosted control plane is found, and becomes a part of the URL that is written", async () => {
  const platform = await start();
  const { url } = await startRewritingProxy(platform, () => undefined, {
    forward: (path) => path.replace(/^\/api-host/, ""),
    page: (path) => (/^\/api(-host|\/v1)\//.test(path) ? undefined : { status: 404, text: "<html>Studio</html>" }),
  });
  const { written: config, text } = await init({ options: { url } });
  expect(config).toEqual({ "agentgraph:url": `${url}/api-host` });
  expect(text).toContain("found below /api-host");
  expect((await init({ config, options: { url } })).written).toEqual({});
});

test("the words of a platform are written, with its name where the host does not say it", async () => {
  const { url } = await start({ vocabulary: WORDS });
  const { written, text } = await init({ options: { url } });
  expect(written).toMatchObject({ "agentgraph:platform": "langsmith", "agentgraph:vocabulary": JSON.stringify(WORDS) });
  expect(text).toContain("  platform: LangSmith (known from the words that it uses)\n");
  const config = { ...written, "agentgraph:vocabulary": '{"githost":"githost"}' };
  expect((await init({ config })).written).toEqual({ "agentgraph:vocabulary": JSON.stringify(WORDS) });
});

describe("Of several workspaces,", () => {
  const listed = `  1. ${TEAM_A}  Team A\n  2. ${TEAM_B}  Team B`;

  test.each([undefined, "3", ""])("none is guessed: %j", async (answer) => {
    const { url } = await startWithTeams();
    const { message } = await failureOf(init({ options: { url }, ...(answer !== undefined && { answer }) }));
    expect(message).toContain(`The API key is valid for 2 workspaces:\n${listed}`);
    expect(message).toContain("Choose one with --workspace <ID>. Nothing was written.");
  });

  test.each(["2", ` ${TEAM_B} `])("one is chosen on a terminal, and written: %j", async (answer) => {
    const { url } = await startWithTeams();
    const { written, text } = await init({ options: { url }, answer });
    expect(written).toEqual({ "agentgraph:url": url, "agentgraph:tenantId": TEAM_B });
    expect(text).toContain(`  workspace: ${TEAM_B} (the choice among those of the API key)\n`);
  });

  test("one is named by an option, or by a variable", async () => {
    const { url } = await startWithTeams();
    const ofOption = await init({ options: { url, workspace: TEAM_B } });
    const ofVariable = await init({ options: { url }, env: { LANGSMITH_WORKSPACE_ID: TEAM_B } });
    for (const { written } of [ofOption, ofVariable]) expect(written["agentgraph:tenantId"]).toBe(TEAM_B);
  });
});

test("the API key is stored only with --store-key, as a secret, and nothing shows it", async () => {
  const { url } = await start();
  const options = { url, apiKeyEnv: "TEAM_KEY" };
  const env = { LANGSMITH_API_KEY: "another", TEAM_KEY: KEY };
  expect((await init({ options, env })).written).toEqual({ "agentgraph:url": url, "agentgraph:apiKeyEnv": "TEAM_KEY" });
  const { values, text, json } = await init({ options: { ...options, storeKey: true }, env });
  expect(values).toEqual([
    { key: "url", value: url },
    { key: "apiKey", value: KEY, isSecret: true },
  ]);
  expect(text).toContain("  agentgraph:apiKey: [secret]\n");
  expect(text).not.toContain("stays where it is");
  expect(json.written).toContainEqual({ key: "agentgraph:apiKey", secret: true });
  expect(text + JSON.stringify(json)).not.toContain(KEY);
  const config = { "agentgraph:url": url, "agentgraph:apiKey": KEY };
  const storing = { config, options: { storeKey: true } };
  expect((await init(storing)).written).toEqual({ "agentgraph:apiKey": KEY });
  expect((await init({ ...storing, encrypted: ["agentgraph:apiKey"] })).written).toEqual({});
});

test("the profile file of the platform's own tools is enough", async () => {
  const { url } = await start();
  const path = join(newFolder(), "config.json");
  writeFileSync(path, JSON.stringify({ profiles: { default: { api_key: KEY, api_url: `${url}/api/v1` } } }));
  const env = { LANGSMITH_API_KEY: "", LANGSMITH_CONFIG_FILE: path };
  const { written: config, text } = await init({ env });
  expect(config).toEqual({ "agentgraph:url": url });
  expect(text).toContain(`  apiKey: from the profile "default" in ${path}\n`);
  expect((await init({ config, env })).written).toEqual({});
});

test("what exists on the server is counted, with the command that adopts it", async () => {
  const { url, emulator } = await start();
  expect((await init({ options: { url } })).text).not.toContain("adopt");
  await emulator.seed({ deployments: [{ name: "one" }, { name: "two" }] });
  const { text, json } = await init({ options: { url } });
  expect(text).toContain("2 deployments exist. `npx agentgraph adopt --out adopted` writes a program");
  expect(json).toMatchObject({ deployments: 2, moreDeployments: false });
});

test.each([
  ["LANGGRAPH_HOST_URL", { controlPlaneUrl: "https://api.host.langchain.com" }],
  ["LANGSMITH_ENDPOINT", { url: "https://api.host.langchain.com" }],
  ["AGENTGRAPH_TRACING_API_URL", { tracingApiUrl: "https://api.smith.langchain.com" }],
])("the URL of %s becomes the setting that it stands for", (variable, expected) => {
  const given = { [variable]: "https://api.host.langchain.com/" };
  const more = variable === "AGENTGRAPH_TRACING_API_URL" ? { AGENTGRAPH_CONTROL_PLANE_URL: "https://own.example" } : {};
  const settings = readInitSettings({}, {}, { LANGSMITH_API_KEY: KEY, ...given, ...more });
  const found = { settings, spoken: WORDS, path: undefined, onlyWorkspace: undefined, platform: undefined };
  const vocabulary = JSON.stringify(WORDS);
  const config = { "agentgraph:controlPlaneUrl": "https://own.example", "agentgraph:vocabulary": vocabulary };
  const before = { config, encrypted: new Set<string>() };
  const values = valuesToWrite({ ...found, deployments: { count: 0, isMore: false } }, before, {});
  expect(Object.fromEntries(values.map(({ key, value }) => [key, value]))).toEqual(expected);
});

describe("Nothing is written", () => {
  test("if the server rejects the API key, which the error does not contain", async () => {
    const { url } = await start();
    const { message } = await failureOf(init({ options: { url }, env: { LANGSMITH_API_KEY: "a-wrong-key" } }));
    expect(message).toContain("The control plane cannot be used, so nothing was written: API key rejected: ");
    expect(message).toMatch(/API key +from the environment variable LANGSMITH_API_KEY/);
    expect(message).not.toContain("a-wrong-key");
    const ofOther = await failureOf(init({ options: { url }, env: { LANGSMITH_API_KEY: "sk-other-service" } }));
    expect(ofOther.message).toContain("\napiKey: has the form of a key for another service; ");
  });

  test("if the key is not valid for the workspace, and the error lists those for which it is", async () => {
    const { url } = await startWithTeams();
    const { message } = await failureOf(init({ options: { url, workspace: TEAM_B.replaceAll("b", "c") } }));
    await expect(init({ options: { url, workspace: "c" } })).rejects.not.toThrow("stack configuration");
    expect(message).toContain("To correct it, change the option --workspace.");
    expect(message).toContain(`${TEAM_B}  Team B`);
  });

  test("if nothing responds", async () => {
    const { message } = await failureOf(init({ options: { url: "http://127.0.0.1:1" } }));
    expect(message).toContain("so nothing was written: no response: http://127.0.0.1:1");
    expect(message).toContain("from the option --url");
  });

  const own = { "agentgraph:controlPlaneUrl": "https://own.example", "agentgraph:apiKey": "k" };
  test.each<[string, Situation, string[]]>([
    ["no key", { env: { LANGSMITH_API_KEY: "" } }, ["apiKey: run `pulumi config set --secret", "LANGSMITH_API_KEY"]],
    [
      "the variable of the key is empty",
      { options: { apiKeyEnv: "NO_KEY", url: "https://own.example" } },
      ["the environment variable NO_KEY, named by apiKeyEnv, is empty or not set"],
    ],
    [
      "an option is not valid",
      { options: { url: "own.example", workspace: "a\nb" } },
      ["url: must be", "(from the option --url)", "(from the option --workspace)"],
    ],
    [
      "another setting takes precedence over --url",
      { config: own, options: { url: "https://new.example" } },
      ["--url has no effect beside controlPlaneUrl from stack", "pulumi config rm agentgraph:controlPlaneUrl"],
    ],
    [
      "another key takes precedence over --api-key-env",
      { options: { apiKeyEnv: "LANGSMITH_API_KEY", url: "https://own.example" }, env: { AGENTGRAPH_API_KEY: "k" } },
      ["--api-key-env has no effect beside apiKey from the environment variable", "unset AGENTGRAPH_API_KEY"],
    ],
  ])("if %s", async (_what, situation, texts) => {
    const { message } = await failureOf(init(situation));
    for (const text of texts) expect(message).toContain(text);
  });
});
