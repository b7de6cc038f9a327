import { HttpClient, type HttpClientOptions } from "../../../provider/http/client";
import { TestClock } from "../clock";

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
