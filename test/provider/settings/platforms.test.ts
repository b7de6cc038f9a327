/** How one setting, or the variables of a platform's own tools, become the settings of a connection. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { isSameServer, PLATFORMS } from "../../../provider/settings/platforms";
import { EXPLICIT, readSettings } from "../../../provider/settings/settings";
import { read } from "./support/settings";

const WORDS = { githost: "github", agentgraph: "langgraph" };
const MAIN = "https://api.smith.langchain.com";
const [EU, OWN] = ["https://eu.api.smith.langchain.com", "https://own.example"];

const urlsOf = (config: Record<string, unknown>) => {
  const { controlPlaneUrl, tracingApiUrl, otherUrls } = read(config);
  const text = (url: URL | undefined) => url?.href.replace(/\/$/, "");
  return [text(controlPlaneUrl), text(tracingApiUrl), text(otherUrls.controlPlane) ?? text(otherUrls.tracing)];
};

describe("One base URL", () => {
  const own = "https://agents.example.com";
  const prefixed = `${own}/api-host`;

  // @covers 5:base-urls
  it.each([
    [MAIN, MAIN, MAIN],
    ["https://eu.api.smith.langchain.com", "https://eu.api.smith.langchain.com", "https://eu.api.smith.langchain.com"],
    [`${MAIN}/api/v1`, MAIN, MAIN],
    ["https://api.host.langchain.com/", "https://api.host.langchain.com", MAIN],
    [
      "https://apac.api.host.langchain.com",
      "https://apac.api.host.langchain.com",
      "https://apac.api.smith.langchain.com",
    ],
    ["https://smith.langchain.com/o/acme/settings", MAIN, MAIN],
    ["https://eu.smith.langchain.com", "https://eu.api.smith.langchain.com", "https://eu.api.smith.langchain.com"],
  ])("of a known host is understood: %s", (url, controlPlane, tracing) => {
    expect(urlsOf({ url })).toEqual([controlPlane, tracing, undefined]);
    expect(read({ url })).toMatchObject({ vocabulary: WORDS, profile: PLATFORMS.langsmith.profile });
  });

  it.each([own, `${own}/`, `${own}/api`, `${own}/api/`, `${own}/api/v1`, `${own}/v2`, `${own}/v1/`])(
    "of another server is that of both APIs, or the control plane is below its prefix: %s",
    (url) => {
      expect(urlsOf({ url })).toEqual([own, own, prefixed]);
      expect(read({ url })).toMatchObject({ vocabulary: { githost: "githost" }, profile: {} });
    },
  );

  it("may have a prefix, and may be that of the control plane", () => {
    expect(urlsOf({ url: `${own}/team/api/v1` })).toEqual([`${own}/team`, `${own}/team`, `${own}/team/api-host`]);
    expect(urlsOf({ url: `${prefixed}/` })).toEqual([prefixed, own, undefined]);
  });

  it("counts where the setting of a server is silent", () => {
    expect(urlsOf({ url: own, tracingApiUrl: "https://traces.example.com/api/v1" })).toEqual([
      ...[own, "https://traces.example.com", prefixed],
    ]);
    expect(urlsOf({ controlPlaneUrl: `${own}/api` })).toEqual([`${own}/api`, undefined, own]);
    expect(urlsOf({ controlPlaneUrl: "https://smith.langchain.com" })).toEqual([MAIN, undefined, undefined]);
  });

  it("of the stack counts before the variable of one server", () => {
    const environment = { AGENTGRAPH_CONTROL_PLANE_URL: "https://other.example" };
    const { controlPlaneUrl, sources } = read({ url: own }, environment);
    expect([controlPlaneUrl?.origin, sources.controlPlaneUrl]).toEqual([own, "stack configuration agentgraph:url"]);
    expect(read({}, { ...environment, AGENTGRAPH_URL: own }).controlPlaneUrl?.origin).toBe("https://other.example");
  });

  it("is known as the same server under the older and the newer host of a region", () => {
    expect(isSameServer("https://api.host.langchain.com", MAIN)).toBe(true);
    expect(isSameServer("https://eu.api.host.langchain.com", MAIN)).toBe(false);
    expect(isSameServer("https://agents.example.com", MAIN)).toBe(false);
  });

  it("keeps words that are set", () => {
    expect(read({ url: MAIN, vocabulary: '{"githost":"githost"}' }).vocabulary).toEqual({
      ...WORDS,
      githost: "githost",
    });
  });
});

// @covers 5:variables
describe("The variables of the platform's own tools", () => {
  const key = { LANGSMITH_API_KEY: "ls-key" };

  it("are enough: a key alone is one for the platform's default host", () => {
    const { auth, controlPlaneUrl, missing, sources, borrowed } = read({}, key);
    expect(auth).toEqual({ apiKey: "ls-key" });
    expect([controlPlaneUrl?.origin, missing]).toEqual([MAIN, { controlPlane: [], tracing: [] }]);
    expect(sources).toMatchObject({ apiKey: "the environment variable LANGSMITH_API_KEY" });
    expect(borrowed).toBe(
      "For https://api.smith.langchain.com: apiKey from the environment variable LANGSMITH_API_KEY, url from " +
        "the default of LangSmith, whose credential is in the environment variable LANGSMITH_API_KEY.",
    );
  });

  it("give the key to the base URL that is set", () => {
    expect(read({ url: "https://agents.example.com" }, key).auth).toEqual({ apiKey: "ls-key" });
  });

  it.each([
    ["LANGGRAPH_HOST_API_KEY", "LANGSMITH_API_KEY", "auth.apiKey"],
    ["LANGSMITH_API_KEY", "LANGCHAIN_API_KEY", "auth.apiKey"],
    ["LANGSMITH_TENANT_ID", "LANGSMITH_WORKSPACE_ID", "tenantId"],
    ["LANGSMITH_WORKSPACE_ID", "LANGCHAIN_WORKSPACE_ID", "tenantId"],
  ])("are read in the order of its clients: %s before %s", (first, second, path) => {
    expect(read({ url: MAIN }, { [first]: ' "one" ', [second]: "two" })).toHaveProperty(path, "one");
    expect(read({ url: MAIN }, { [first]: " ", [second]: "two" })).toHaveProperty(path, "two");
  });

  it.each([
    [{ LANGSMITH_ENDPOINT: `${EU}/api/v1` }, [`${EU}/`, `${EU}/`]],
    [{ LANGCHAIN_ENDPOINT: `${OWN}/api` }, [`${OWN}/`, `${OWN}/`]],
    [{ LANGGRAPH_HOST_URL: `${OWN}/api-host`, LANGSMITH_ENDPOINT: `${OWN}/api/v1` }, [`${OWN}/api-host`, `${OWN}/`]],
  ])("name the endpoint, or the control plane: %j", (variables, urls) => {
    const { controlPlaneUrl, tracingApiUrl } = read({}, { ...key, ...variables });
    expect([controlPlaneUrl?.href, tracingApiUrl?.href]).toEqual(urls);
  });

  it("count only where the settings are silent", () => {
    const all = { ...key, LANGSMITH_ENDPOINT: MAIN, LANGSMITH_TENANT_ID: "t" };
    const ofStack = read({ controlPlaneUrl: "https://control.example", apiKey: "k" }, all);
    const ofVariables = read({}, { ...all, AGENTGRAPH_API_KEY: "k", AGENTGRAPH_URL: "https://control.example" });
    for (const { auth, controlPlaneUrl, tenantId, borrowed } of [ofStack, ofVariables])
      expect([auth, controlPlaneUrl?.origin, tenantId, borrowed]).toEqual([
        ...[{ apiKey: "k" }, "https://control.example", undefined, undefined],
      ]);
    expect(ofStack.tracingApiUrl).toBeUndefined();
    expect(read({ url: MAIN, apiKeyEnv: "EMPTY" }, all).missing.controlPlane).toMatchObject([{ name: "apiKey" }]);
  });

  it("never count for an explicit Provider", () => {
    const settings = readSettings((name) => (name === EXPLICIT ? "true" : undefined), key);
    expect([settings.auth, settings.controlPlaneUrl, settings.borrowed]).toEqual([undefined, undefined, undefined]);
  });

  it("are rejected with their name if they are not valid", () => {
    expect(() => read({}, { ...key, LANGSMITH_ENDPOINT: "not a URL" })).toThrow(
      /url: .*\(from the environment variable LANGSMITH_ENDPOINT\)/,
    );
  });
});

describe("The profile file of the platform's own tools", () => {
  const profiles = {
    current_profile: "work",
    profiles: {
      work: { api_key: "profile-key", api_url: "https://eu.api.smith.langchain.com", workspace_id: "w" },
      variable: { api_key_env: "TEAM_KEY" },
      command: { api_key_cmd: "touch /tmp/never" },
      token: { oauth: { access_token: "token", expires_at: "2100-01-01T00:00:00Z" } },
      expired: { oauth: { access_token: "token", expires_at: "2000-01-01T00:00:00Z" } },
    },
  };
  const file = (content: unknown) => {
    const path = join(newFolder(), "config.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const of = (name: string | undefined, config = {}, more = {}) =>
    read(config, { LANGSMITH_CONFIG_FILE: file(profiles), ...(name && { LANGSMITH_PROFILE: name }), ...more });

  it("is read after the variables, and gives its workspace with its key alone", () => {
    const { auth, controlPlaneUrl, tenantId, sources } = of(undefined);
    expect([auth, controlPlaneUrl?.origin, tenantId]).toEqual([
      ...[{ apiKey: "profile-key" }, "https://eu.api.smith.langchain.com", "w"],
    ]);
    expect(sources.apiKey).toMatch(/^the profile "work" in .*config\.json$/);
    const ofVariable = of(undefined, {}, { LANGSMITH_API_KEY: "k" });
    expect([ofVariable.auth, ofVariable.tenantId]).toEqual([{ apiKey: "k" }, undefined]);
    expect(of(undefined, {}, { LANGSMITH_WORKSPACE_ID: "v" }).tenantId).toBe("v");
  });

  it("may name a variable, or contain a token that has not expired", () => {
    expect(of("variable", {}, { TEAM_KEY: "k" }).auth).toEqual({ apiKey: "k" });
    expect(of("token").auth).toEqual({ bearerToken: "token" });
    expect(of("expired").auth).toBeUndefined();
  });

  it("gives its key to no other server than its own", () => {
    expect(of(undefined, { url: "https://agents.example.com" }).auth).toBeUndefined();
    for (const url of ["https://eu.api.smith.langchain.com/api/v1", "https://eu.smith.langchain.com"])
      expect(of(undefined, { url }).auth).toEqual({ apiKey: "profile-key" });
    expect(of(undefined, { url: "https://api.smith.langchain.com" }).auth).toBeUndefined();
    expect(of(undefined, { url: EU, controlPlaneUrl: OWN }).auth).toBeUndefined();
  });

  it.each([undefined, "command", "absent"])("changes nothing without a key: %s", (name) => {
    const path = name === undefined ? file("{ broken") : file(profiles);
    expect(read({}, { LANGSMITH_CONFIG_FILE: path, LANGSMITH_PROFILE: name ?? "work" }).auth).toBeUndefined();
  });
});
