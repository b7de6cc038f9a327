/** Wrong ways to connect: each gives the cause and the line that corrects it, against small servers that behave so. */
import { EXPLICIT } from "../../../provider/settings/settings";
import { html, json, type Reply, TestServer } from "../../support/servers/server";
import { startTlsServer } from "../../support/servers/tls";
import { startTunnel } from "../../support/servers/tunnel";
import { credential, workspace } from "./support/wrong-credentials";
import { at, atServer, create, EXAMPLE, key, notFound, type Row, setUrl, shown, startApi } from "./support/wrong-ways";

const understood: Row[] = [
  ["the path of a route", () => atServer(startApi(), {}, "/v2/deployments")],
  ["the path of a route of the other API", () => atServer(startApi(), {}, "/api/v1/sessions")],
  ["the host of a self-hosted platform", () => atServer(startApi("/api-host"))],
  ["the prefix of a self-hosted platform where there is none", () => atServer(startApi(), {}, "/api")],
];

const address: Row[] = [
  [
    "the address of an agent",
    () => atServer(TestServer.start([notFound])),
    ...["that the URL is the base URL of the platform: not that of its website, of an agent,", setUrl],
  ],
  ["a wrong prefix", () => atServer(startApi(), {}, "/agents"), "does not have this route.", setUrl],
  [
    "a server with a page at every path",
    () => atServer(TestServer.start([html(200, "<html>Studio</html>")])),
    ...["the response is not JSON", "Does the URL point to the API itself?", setUrl],
  ],
  [
    "another API, which has an object at every path",
    () => atServer(TestServer.start([json(200, { ok: true })])),
    ...["Is url correct?", setUrl],
  ],
  [
    "a website with a login",
    () => atServer(TestServer.start([html(302, "")].map((reply) => redirect("/login?next=%2F", reply)))),
    ...["redirects to /login?next=%2F, where people log in. Use the URL of the API,", setUrl],
  ],
  [
    "a host whose login is elsewhere",
    () => atServer(TestServer.start([redirect("https://login.example.com/tenant?x=1")])),
    ...["where people log in. Use the URL of the API,", setUrl],
  ],
  [
    "a host that moved",
    () => atServer(TestServer.start([redirect(`${EXAMPLE}/v2/deployments`)])),
    ...[`redirects to ${EXAMPLE}/v2/deployments. Use that URL instead`, `agentgraph:url ${EXAMPLE}/v2/deployments\`.`],
  ],
  [
    "the address of an agent in the setting of the control plane",
    async () => ({ config: { controlPlaneUrl: (await TestServer.start([notFound])).url.origin, ...key } }),
    "run `pulumi config set agentgraph:controlPlaneUrl <url>`.",
  ],
  [
    "the address of an agent in the program",
    () => atServer(TestServer.start([notFound]), { [EXPLICIT.replace("agentgraph:", "")]: "true" }),
    "To set another URL, change the argument url of the Provider.",
  ],
  ["a host that does not exist", async () => at("https://agents.invalid"), "The host name", setUrl],
  [
    "HTTP where the key would be readable",
    async () => at("http://agents.example.com"),
    ...["url is http://agents.example.com. Use https", `agentgraph:url ${EXAMPLE}\`.`],
  ],
  [
    "no scheme",
    async () => at("agents.example.com"),
    ...['must be a URL such as https://host/path, not "agents.example.com"', `agentgraph:url ${EXAMPLE}\`.`],
  ],
  [
    "no scheme, but a port",
    async () => at("localhost:7420"),
    ...['must be a URL such as https://host/path, not "localhost:7420"', "agentgraph:url http://localhost:7420`."],
  ],
  [
    "a variable without a scheme",
    async () => ({ config: key, environment: { AGENTGRAPH_URL: "agents.example.com" } }),
    `To add the scheme, change the environment variable AGENTGRAPH_URL to ${EXAMPLE}.`,
  ],
];

const rejectedSource = (word: string) =>
  json(422, { detail: [{ loc: ["body", "source"], msg: `Input should be '${word}'`, input: "x" }] });

const vocabulary: Row[] = [
  [
    "neutral words for a server with others",
    async () => ({ ...(await atServer(TestServer.start([rejectedSource("github")]))), ask: create("githost") }),
    `This server uses other words. Run \`pulumi config set agentgraph:vocabulary '{"githost":"github"`,
  ],
  [
    "other words for a server with neutral ones",
    async () => {
      const { config } = await atServer(TestServer.start([rejectedSource("githost")]));
      return { config: { ...config, vocabulary: '{"githost":"github"}' }, ask: create("githost") };
    },
    `This server uses other words. Run \`pulumi config set agentgraph:vocabulary '{"githost":"githost"`,
  ],
];

const refused = (status: number) => async () => ({
  ...at(EXAMPLE),
  environment: { HTTPS_PROXY: (await startTunnel(status)).address },
});

const proxy: Row[] = [
  [
    "that refuses the connection",
    refused(403),
    ...["status 403 in place of a connection to https://agents.example.com", "add this name to NO_PROXY."],
  ],
  [
    "that does not reach the server",
    refused(502),
    ...["or cannot reach the server. Ask its operators.", "add this name to NO_PROXY."],
  ],
  [
    "that requires a password",
    refused(407),
    "requires a user name and a password. Write them into HTTPS_PROXY: http://<user>:<password>@<host>:<port>",
  ],
];

const certificate: Row[] = [
  [
    "that nobody trusts",
    async () => at(`https://127.0.0.1:${await startTlsServer()}`),
    "Set the environment variable NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.",
  ],
];

function redirect(location: string, reply: Reply = html(301, "")): Reply {
  return (response, request) => reply(response.setHeader("location", location) as typeof response, request);
}

test.each(understood)("An address that is understood: %s", async (_mistake, connect) => {
  expect(await shown(await connect())).toMatch(/^(tenantId: is not set\..*\n)?connected$/);
});

describe.each(Object.entries({ address, credential, workspace, vocabulary, proxy, certificate }))(
  "A wrong %s gives the cause and the line that corrects it:",
  (_area, rows) => {
    test.each(rows)("%s", async (_mistake, connect, ...says) => {
      const text = await shown(await connect());
      for (const part of says) expect(text).toContain(part);
    });
  },
);
