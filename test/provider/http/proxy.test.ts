/** Which requests go through a proxy, in every form of the variables, and what errors say about it. */
import { connect } from "node:net";
import type { HttpError } from "../../../provider/http/errors";
import { describeProxy, proxyFor, uselessExceptions } from "../../../provider/http/proxy";
import { noRetry } from "../../../provider/http/retry";
import { failureOf } from "../../support/errors";
import { openHttpClient } from "../../support/servers/http-client";
import { closedPort, json, TestServer } from "../../support/servers/server";
import { listen, startTunnel, within } from "../../support/servers/tunnel";

const get = { method: "GET", path: "/v2/things" } as const;
const HTTPS = new URL("https://agents.example.com");
const HTTP = new URL("http://agents.example.com");

/** Returns the proxy for a server as text; undefined for a direct connection. */
function found(environment: Record<string, string>, server = HTTPS): string | undefined {
  const proxy = proxyFor(server, environment);
  return proxy && describeProxy(proxy);
}

describe("The proxy of a server", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["with a scheme", { HTTPS_PROXY: "http://proxy.corp:3128" }, "http://proxy.corp:3128 (HTTPS_PROXY)"],
    ["without a scheme, as in curl and Go", { HTTPS_PROXY: "proxy.corp:3128" }, "http://proxy.corp:3128 (HTTPS_PROXY)"],
    ["without a scheme and a port", { HTTPS_PROXY: "proxy.corp" }, "http://proxy.corp (HTTPS_PROXY)"],
    ["with an address", { HTTPS_PROXY: "10.0.0.1:3128" }, "http://10.0.0.1:3128 (HTTPS_PROXY)"],
    ["with an IPv6 address", { HTTPS_PROXY: "[2001:db8::1]:3128" }, "http://[2001:db8::1]:3128 (HTTPS_PROXY)"],
    ["with a password that is hidden", { HTTPS_PROXY: "user:pass@proxy.corp:1" }, "http://proxy.corp:1 (HTTPS_PROXY)"],
    ["that uses TLS", { HTTPS_PROXY: "https://proxy.corp" }, "https://proxy.corp (HTTPS_PROXY)"],
    ["with spaces around it", { HTTPS_PROXY: " http://proxy.corp:1/ \n" }, "http://proxy.corp:1 (HTTPS_PROXY)"],
    ["in lower case", { https_proxy: "a:1", HTTPS_PROXY: "b:1" }, "http://a:1 (https_proxy)"],
    ["in upper case where the other is empty", { https_proxy: "", HTTPS_PROXY: "b:1" }, "http://b:1 (HTTPS_PROXY)"],
    ["that is set for HTTP alone", { HTTP_PROXY: "a:1" }, "http://a:1 (HTTP_PROXY)"],
    ["of all servers", { ALL_PROXY: "a:1" }, "http://a:1 (ALL_PROXY)"],
    ["of all servers, in lower case", { all_proxy: "a:1" }, "http://a:1 (all_proxy)"],
    ["of all servers, besides another", { ALL_PROXY: "a:1", HTTPS_PROXY: "b:1" }, "http://b:1 (HTTPS_PROXY)"],
    ["of the kind SOCKS", { ALL_PROXY: "socks5h://a:1" }, "socks5://a:1 (ALL_PROXY)"],
    ["that is empty", { HTTPS_PROXY: "", HTTP_PROXY: " " }, undefined],
  ])("is found %s", (_what, environment, proxy) => {
    expect(found(environment)).toBe(proxy);
  });

  test("is not that of HTTPS for a server without TLS", () => {
    expect(found({ HTTPS_PROXY: "a:1" }, HTTP)).toBeUndefined();
    expect(found({ HTTPS_PROXY: "a:1", http_proxy: "b:1" }, HTTP)).toBe("http://b:1 (http_proxy)");
  });

  test.each([
    ...["http://", "ftp://proxy.corp", "socks4://proxy.corp", "http://user:%zz@proxy.corp", "a b", "http://:3128"],
    "://x",
  ])("is an error that names the variable and not its value: %s", (value) => {
    expect(() => proxyFor(HTTPS, { HTTPS_PROXY: value })).toThrow(
      "The environment variable HTTPS_PROXY is not the address of a proxy. Expected http://host:port,",
    );
  });

  test.each(["http://localhost:1", "https://127.0.0.2", "https://[::1]", "http://0.0.0.0:80", "https://a.localhost"])(
    "is never used for %s, which it cannot reach",
    (server) => {
      expect(found({ HTTPS_PROXY: "a:1", HTTP_PROXY: "a:1", ALL_PROXY: "a:1" }, new URL(server))).toBeUndefined();
    },
  );
});

describe("NO_PROXY", () => {
  const isDirect = (NO_PROXY: string, server: string) =>
    found({ ALL_PROXY: "a:1", NO_PROXY }, new URL(server)) === undefined;

  const HOST = "https://agents.example.com";

  test.each<[server: string, exceptions: string[]]>([
    [HOST, ["*", "agents.example.com", "example.com", ".example.com", "*.example.com", "agents.example.com:443"]],
    [HOST, ["other.example, example.com", "other.example\nexample.com"]],
    ["https://example.com", [".example.com"]],
    ["https://Agents.Example.com.", ["EXAMPLE.com"]],
    ["https://agents.example.com:8443", ["agents.example.com:8443"]],
    ["https://10.1.2.3", ["10.0.0.0/8"]],
    ["http://10.1.2.3:8080", ["10.1.2.3", "10.1.2.3:8080"]],
    ["https://[fd12::1]", ["fd00::/8"]],
    ["https://[fd12:0::1]", ["[fd12::1]"]],
    ["https://[fd12::1]:8443", ["fd12::1", "[fd12::1]:8443"]],
  ])("contains %s as each of %j", (server, exceptions) => {
    expect(exceptions.filter((text) => !isDirect(text, server))).toEqual([]);
  });

  test.each<[server: string, exceptions: string[]]>([
    [HOST, ["", "ample.com", "*.agents.example.com", "agents.example.com:80"]],
    ["https://11.0.0.1", ["10.0.0.0/8"]],
    ["https://10.example.com", ["10.0.0.0/8"]],
    ["https://10.0.0.1", ["10.0.0.0/99", "10.*", "fd00::/8"]],
    ["http://10.1.2.3:8080", ["10.1.2.3:80"]],
  ])("does not contain %s as any of %j", (server, exceptions) => {
    expect(exceptions.filter((text) => isDirect(text, server))).toEqual([]);
  });

  test("has entries that match nothing, and these are named", () => {
    const NO_PROXY = "10.0.0.0/8,10.*,10.0.0.0/99,example.com/8,*,a.example:80,::1,http://a.example";
    expect(uselessExceptions({ NO_PROXY })).toEqual(["10.*", "10.0.0.0/99", "example.com/8", "http://a.example"]);
  });
});

describe("A request through a proxy", () => {
  test.each(["http", "https"])("that is down is the proxy's failure, not that of the server: %s", async (scheme) => {
    const port = await closedPort();
    const { http } = openHttpClient(new URL(`${scheme}://agents.invalid`), { retry: noRetry });
    const variable = `${scheme.toUpperCase()}_PROXY`;
    const error = (await within({ [variable]: `user:a-password@127.0.0.1:${port}` }, () =>
      failureOf(http.send(get)),
    )) as HttpError;
    expect(error.message).toBe(
      `GET /v2/things: no response: proxy http://127.0.0.1:${port} (${variable}): connect ECONNREFUSED ` +
        `127.0.0.1:${port}\n` +
        `The proxy is not reachable. Check ${variable}, and that the proxy is running. If agents.invalid can ` +
        "be reached without it, add this name to NO_PROXY.\n" +
        `  server  ${scheme}://agents.invalid\n` +
        `  proxy   http://127.0.0.1:${port} (${variable})`,
    );
    expect(error.outcomeUnknown).toBe(false);
  });

  test("that refuses the connection received nothing of the request", async () => {
    const proxy = await startTunnel(403);
    const { http } = openHttpClient(HTTPS, { retry: noRetry });
    const send = () => failureOf(http.send({ method: "POST", path: "/x", body: {} }));
    expect(await within({ HTTPS_PROXY: proxy.address }, send)).toMatchObject({ outcomeUnknown: false, notSent: true });
    expect(proxy.requests).toEqual(["CONNECT agents.example.com:443"]);
  });

  test("that ends the connection is named as a possible cause", async () => {
    const proxy = await startTunnel(0);
    const { http } = openHttpClient(HTTPS, { retry: noRetry });
    const { message } = await within({ ALL_PROXY: proxy.address }, () => failureOf(http.send(get)));
    expect(message).toContain(`proxy http://${proxy.address} (ALL_PROXY)`);
  });

  test("of the kind SOCKS reaches the server by its name", async () => {
    const server = await TestServer.start([json(200, { ok: true })]);
    const proxy = await startSocks(server.port);
    const { http } = openHttpClient(HTTP);
    // That the support is experimental.
    jest.spyOn(process, "emitWarning").mockImplementationOnce(() => undefined);
    const sending = within({ all_proxy: `socks5://${proxy.address}` }, () => http.send(get));
    expect(await sending).toMatchObject({ json: { ok: true } });
    expect(proxy.requests).toEqual(["agents.example.com:80"]);
    expect(server.requests).toMatchObject([{ url: "/v2/things" }]);
  });
});

/** Starts a SOCKS5 proxy (RFC 1928) without authentication that connects every request to a port of this machine. */
const startSocks = (port: number) =>
  listen((socket, requests) => {
    socket.once("data", () => {
      socket.write(Buffer.from([5, 0]));
      socket.once("data", (request) => {
        const end = 5 + (request[4] ?? 0);
        requests.push(`${request.subarray(5, end)}:${request.readUInt16BE(end)}`);
        const target = connect(port, "127.0.0.1", () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          socket.pipe(target).pipe(socket);
        });
        socket.on("close", () => target.destroy());
      });
    });
  });
