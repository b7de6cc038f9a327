/** Which agent servers receive the API key and agentHeaders. */
import { Clients } from "../../../../provider/api/clients";
import { isLoopback } from "../../../../provider/http/loopback";
import { readSettings } from "../../../../provider/settings/settings";
import { json, TestServer } from "../../../support/servers/server";
import { TestClock } from "../../../support/time/clock";

interface Setup {
  /** The source of the deployment; undefined when the server does not return it. */
  source?: string | null | undefined;
  /** The path of its URL. */
  path?: string;
  /** @param origin The origin of its URL. */
  config?: (origin: string) => Record<string, string>;
}

function agentServersOf(values: Record<string, string>) {
  const settings = readSettings((key) => values[key.replace("agentgraph:", "")], {});
  return new Clients(settings, new TestClock()).agentServers;
}

/** Starts a control plane that lists one deployment, and the agent server at its URL. */
async function setUp({ source, path = "/", config = () => ({}) }: Setup) {
  const agent = await TestServer.start([json(200, { thread_id: "t" })]);
  const { origin } = agent.url;
  const source_config = { custom_url: origin + path };
  const deployment = { id: "d-1", name: "agent", status: "READY", source, source_config };
  const listed = [deployment];
  const controlPlane = await TestServer.start([
    (response, request) => {
      const page = { resources: request.url?.includes("offset=0") ? listed : [], offset: 0 };
      json(200, request.url?.includes("d-1") ? deployment : page)(response, request);
    },
  ]);
  const agentServers = agentServersOf({
    ...{ controlPlaneUrl: controlPlane.url.origin, apiKey: "the-key", agentHeaders: '{"x-internal":"the-token"}' },
    ...config(origin),
  });
  /**
   * Reads a thread, with the deployment's ID or with its URL. Returns the credentials that its server received so far.
   */
  const received = async (by: "ID" | "URL") => {
    const found = by === "ID" ? await agentServers.findDeployment("d-1") : undefined;
    const server = found ? agentServers.serverOf(found) : await agentServers.serverFromUserUrl(origin + path);
    await server?.threads.get("t");
    return agent.requests.map(({ headers }) => [headers["x-api-key"], headers["x-internal"]]);
  };
  return { agent, listed, origin, received };
}

test("The URL of an agent server has no user name and no password: state and backups contain it", () => {
  const { url } = agentServersOf({}).withoutCredentials("https://me:secret@agents.example/a/");
  expect(url).toBe("https://agents.example/a");
});

const CREDENTIALS = ["the-key", "the-token"];
const NOTHING = [undefined, undefined];

describe.each(["ID", "URL"] as const)("The agent server of a deployment that is named by its %s", (by) => {
  // @covers 5.item 3
  test.each(["githost", "internal_docker", "internal_source", "internal_template", "a_new_one"])(
    "receives the credentials at an address that the control plane assigned to the source %s",
    async (source) => {
      const { received } = await setUp({ source });
      expect(await received(by)).toEqual([CREDENTIALS]);
    },
  );

  // @covers 10B.credentials
  test.each<[string, Setup]>([
    ["of an external image", { source: "external_docker" }],
    ["of a new kind of external source", { source: "external_archive" }],
    ["of an unknown source", { source: undefined }],
    ["without a source", { source: null }],
    ["that contains the ID of the deployment", { source: "external_docker", path: "/agents/d-1" }],
  ])("receives no request at an address %s, and the error contains the setting with its value", async (_, setup) => {
    const config = () => ({ agentOrigins: '["https://a.example"]' });
    const { agent, origin, received } = await setUp({ ...setup, config });
    await expect(received(by)).rejects.toThrow(
      `No request was sent to ${origin}, the address of deployment d-1: the control plane did not assign ` +
        "it, and any member of the workspace can set it.\n" +
        "If this server may receive the API key and agentHeaders, add its origin to the setting " +
        `agentOrigins:  pulumi config set agentgraph:agentOrigins '["https://a.example","${origin}"]'  (`,
    );
    expect(agent.requests).toEqual([]);
  });

  test("receives the credentials at an origin in agentOrigins, no matter who set the address", async () => {
    const config = (origin: string) => ({ agentOrigins: JSON.stringify([origin]) });
    const { received } = await setUp({ source: "external_docker", config });
    expect(await received(by)).toEqual([CREDENTIALS]);
  });
});

test("A URL has one client with credentials and one without: neither decides for the other", async () => {
  const { listed, received } = await setUp({ source: "githost" });
  const [deployment] = listed.splice(0);
  expect(await received("URL")).toEqual([NOTHING]);
  expect(await received("ID")).toEqual([NOTHING, CREDENTIALS]);
  expect(await received("URL")).toEqual([NOTHING, CREDENTIALS, NOTHING]);
  expect(deployment?.id).toBe("d-1");
});

describe("An address on this machine", () => {
  const deployment = { id: "d-1", source: "githost" as const, url: "http://127.0.0.1:2024" };

  test("receives nothing from a control plane elsewhere, which cannot know it", () => {
    const elsewhere = agentServersOf({ controlPlaneUrl: "https://agents.example.com", apiKey: "k" });
    expect(() => elsewhere.serverOf(deployment)).toThrow(`agentgraph:agentOrigins '["http://127.0.0.1:2024"]'`);
  });

  const written =
    "localhost localhost. a.localhost LOCALHOST 127.0.0.1 127.1 2130706433 0x7f.1 0.0.0.0 0 " +
    "[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] [::ffff:0.0.0.0]";
  test.each(written.split(" "))("can be written as %s", (host) => {
    expect(isLoopback(new URL(`http://${host}:8080/`))).toBe(true);
  });

  const others = "127.0.0.1.example localhost.example notlocalhost [::2] [::ffff:10.0.0.1] 128.0.0.1 10.127.0.1";
  test.each(others.split(" "))("is not %s", (host) => {
    expect(isLoopback(new URL(`http://${host}/`))).toBe(false);
  });
});

test("The name of a host that would end the argument of a command is in no command", () => {
  const agentServers = agentServersOf({ controlPlaneUrl: "https://agents.example.com", apiKey: "k" });
  const deployment = {
    id: "d",
    source: "external_docker" as const,
    ...{ sourceConfig: { customUrl: "https://a';reboot;'b/" }, url: "https://a';reboot;'b/" },
  };
  expect(() => agentServers.serverOf(deployment)).toThrow(/to the setting agentOrigins\.$/);
});
