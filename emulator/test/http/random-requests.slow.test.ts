/** Random requests to every route of the platform and of the admin API: rejected with an explanation, or executed. */
import fc from "fast-check";
import { adminRoutes } from "../../src/admin/routes";
import { defaultTenantId, type EmulatorOptions } from "../../src/index";
import { routeNames, routesOf } from "../../src/platform";
import { resolveSettings } from "../../src/runtime/options";
import { type Client, start } from "../support/emulator";
import { extremeRequestsTo, type FuzzedRoute, requestsTo, send } from "../support/hostile/requests";

/** Runs per route: more with FUZZ_RUNS. */
const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 1);
const RUNS = Math.ceil(FUZZ_RUNS / 2);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const CREDENTIALS = { "x-api-key": "a-key", "x-tenant-id": defaultTenantId };

/** Settings that change what the server accepts, besides the default. */
const SETTINGS: EmulatorOptions[] = [
  { strict: true },
  { interfaceOnly: true },
  { edition: "self-hosted", appVersion: "0.10.0", agentAuth: "custom" },
  { edition: "cloud", plan: "developer", agentAuth: "key", apiKey: "a-key" },
];

const platformRoutes: FuzzedRoute[] = routesOf(resolveSettings({}, routeNames()));
// Only their handlers use what they are created with. Events never end; test/admin/events.test.ts reads them.
const ofAdmin = adminRoutes({} as never, {} as never, {} as never, {} as never).filter(
  ({ streams }) => !streams,
) as FuzzedRoute[];
const routes = [...platformRoutes, ...ofAdmin.map((route) => ({ ...route, path: `/_emulator${route.path}` }))];

const idOf = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;
const [deployment, thread, destination] = [idOf(1), idOf(2), idOf(3)];

/** What the emulator prints when a handler fails. */
const printed = jest.spyOn(console, "error");

/**
 * An agent server whose deployment is not live responds with 503, and real servers have failures that routes declare.
 */
function isInternalError({ errors = [] }: FuzzedRoute, status: number): boolean {
  const isExpected = status < 500 || status === 503 || errors.includes(status);
  return !isExpected || printed.mock.calls.length > 0;
}

/** Creates what requests refer to, unless it exists. @returns Existing values of path parameters. */
async function createObjects(client: Client): Promise<Record<string, string[]>> {
  const { url, accessKeyId, secretAccessKey } = client.emulator.bucket;
  const config = { bucket_name: "exports", prefix: "p", endpoint_url: url };
  const credentials = { access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  await client.emulator.faults.clear();
  await client.emulator.seed({
    deployments: [
      { id: deployment, name: "agent", source: "internal_docker", source_revision_config: { image_uri: "r/a:1" } },
    ],
    destinations: [{ id: destination, display_name: "d", config, credentials }],
  });
  const body = { thread_id: thread, if_exists: "do_nothing", metadata: { graph_id: "echo" } };
  await client.post(`/agents/${deployment}/threads`, body);
  const run = await client.post(`/agents/${deployment}/threads/${thread}/runs`, { assistant_id: "echo", input: {} });
  const { latest_revision_id } = (await client.get(`/v2/deployments/${deployment}`)).body;
  const { run_id = "run" } = run.body as { run_id?: string };
  return {
    ...{ deployment_id: [deployment], thread_id: [thread], thread: [thread], destination_id: [destination] },
    ...{ revision_id: [latest_revision_id], run_id: [run_id], workspace_id: [defaultTenantId], name: ["exports"] },
    id: [deployment, "1"],
  };
}

// The emulators with other settings get requests to all routes in any case.
const alone = routes.filter((_, index) => FUZZ_RUNS > 1 || index % 4 === 0);
test.each(alone.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s never fails with an internal error, and the next request succeeds",
  async (_name, route) => {
    const client = await start({ speed: "instant" });
    const values = await createObjects(client);
    await requestRandomly(client, route, values, RUNS);
    // Without FUZZ_RUNS, only the emulators with other settings read everything, once.
    if (FUZZ_RUNS > 1 && route.method !== "GET")
      await readEverything(client, (parameter) => values[parameter]?.[0] ?? deployment);
  },
  600_000,
);

test.each(SETTINGS)(
  "every route of an emulator with %j never fails with an internal error, and everything can be read afterwards",
  async (options) => {
    const client = await start({ speed: "instant", ...options });
    const values = await createObjects(client);
    for (const route of routes) await requestRandomly(client, route, values, Math.ceil(RUNS / 4));
    await readEverything(client, (parameter) => values[parameter]?.[0] ?? deployment);
  },
  600_000,
);

test("extreme numbers in queries and bodies never cause an internal error, and the emulator responds", async () => {
  const client = await start({ speed: "instant" });
  const values = await createObjects(client);
  const idOf = (name: string) => values[name]?.[0] ?? deployment;
  const requests = routes.flatMap((route) =>
    extremeRequestsTo(route, idOf, CREDENTIALS).map((request) => ({ route, ...request })),
  );
  expect(requests.length).toBeGreaterThan(100);
  const failures: string[] = [];
  for (const request of requests) {
    const status = await send(client.emulator.urls.controlPlane, request);
    const { method, path, body } = request;
    if (isInternalError(request.route, status)) failures.push(`${method} ${path} ${body ?? ""}: ${status}`);
    if (status < 300 && method !== "GET") await createObjects(client);
  }
  expect(failures).toEqual([]);
  expect((await client.admin("GET", "/health")).status).toBe(200);
});

async function requestRandomly(
  client: Client,
  route: FuzzedRoute,
  values: Record<string, string[]>,
  runs: number,
): Promise<void> {
  const ids = Object.values(values).flat();
  const requests = requestsTo(route, (name) => values[name] ?? ids, ids, CREDENTIALS);
  const property = fc.asyncProperty(requests, async (request) => {
    const status = await send(client.emulator.urls.controlPlane, request);
    if (isInternalError(route, status)) throw new Error(`status ${status}`);
    if (status < 300 && request.method !== "GET") await createObjects(client);
    expect((await client.admin("GET", "/health")).status).toBe(200);
  });
  await fc.assert(property, { numRuns: runs, seed: SEED });
}

/** Whatever a request stored can be read. */
async function readEverything(client: Client, idOf: (parameter: string) => string): Promise<void> {
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const { path, query = {} } = route;
    const required = Object.keys(query).filter((parameter) => query[parameter]?.required);
    const search = required.map((parameter) => `${parameter}=${idOf(parameter)}`).join("&");
    const url = `${path.replace(/\{(\w+)\}/g, (_, parameter) => idOf(parameter))}?${search}`;
    const read = { method: "GET", path: url, headers: CREDENTIALS, body: undefined };
    const status = await send(client.emulator.urls.controlPlane, read);
    if (isInternalError(route, status)) throw new Error(`GET ${url}: status ${status}`);
  }
}
