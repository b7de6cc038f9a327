import { CaseMapper } from "../../../provider/api/case-mapper";
import { JsonClient } from "../../../provider/api/json-client";
import { HttpClient, type HttpClientOptions } from "../../../provider/http/client";
import type { Vocabulary } from "../../../provider/settings/settings-schema";
import { TestClock } from "../time/clock";
import { json, type Reply, TestServer } from "./server";

export const get = { method: "GET", path: "/v2/things" } as const;
export const post = { method: "POST", path: "/v2/things", body: { name: "a" } } as const;
export const fine = json(200, { ok: true });

const clients: HttpClient[] = [];
afterEach(async () => {
  for (const http of clients.splice(0)) await http.close();
});

/** Opens a client with its own clock. It is closed after the test. */
export function openHttpClient(
  baseUrl: URL,
  options: Partial<HttpClientOptions> = {},
): { http: HttpClient; clock: TestClock } {
  const clock = new TestClock();
  const http = new HttpClient({
    baseUrl,
    headers: { "X-Api-Key": "the-key" },
    clock,
    maxConcurrentRequests: 16,
    requestTimeoutMs: 30_000,
    facts: { credential: "API key", credentialSource: "from the test" },
    ...options,
  });
  clients.push(http);
  return { http, clock };
}

/** Starts a server with these replies, and opens a client of it. */
export async function startHttp(replies: Reply[]): Promise<{ server: TestServer } & ReturnType<typeof openHttpClient>> {
  const server = await TestServer.start(replies);
  return { server, ...openHttpClient(server.url) };
}

/** The same with the base of API clients, and the hint of its errors. */
export function openJsonClient(
  baseUrl: URL,
  {
    hint = "Is the URL correct?",
    vocabulary = { githost: "githost", agentgraph: "agentgraph" },
    ...options
  }: Partial<HttpClientOptions & { hint: string; vocabulary: Vocabulary }> = {},
): { jsonClient: JsonClient } & ReturnType<typeof openHttpClient> {
  const opened = openHttpClient(baseUrl, options);
  return { ...opened, jsonClient: new JsonClient(opened.http, new CaseMapper(vocabulary), hint) };
}
