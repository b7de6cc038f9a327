import { type Client, rolloutMs, start, startDeployment } from "../support/emulator";
import { expectError } from "../support/rejections";

const tenant = "11111111-1111-4111-8111-111111111111";
const other = "44444444-4444-4444-8444-444444444444";
const credentials = { "x-api-key": "a-key", "x-tenant-id": tenant };

interface Session {
  id: string;
  name: string;
}

async function listSessions(client: Client, query = "", headers = credentials): Promise<Session[]> {
  const response = await client.send("GET", `/api/v1/sessions${query}`, undefined, headers);
  expect(response.status).toBe(200);
  return response.body as unknown as Session[];
}

const names = (sessions: Session[]) => sessions.map(({ name }) => name);

// @covers 1A:project, 2A.Deployment.name:project
test("a deployment creates a project with its name, which remains after its deletion", async () => {
  const { client, id } = await startDeployment({ strict: true });
  const [project, ...rest] = await listSessions(client, "?name=agent");
  expect(rest).toEqual([]);
  const { now } = client.emulator.clock.read();
  expect(project).toEqual({
    id: expect.any(String),
    tenant_id: tenant,
    name: "agent",
    start_time: now,
    reference_dataset_id: null,
  });
  await client.remove(`/v2/deployments/${id}`);
  await client.advance(rolloutMs);
  expect(await listSessions(client, "?name=agent")).toEqual([project]);
  const one = await client.send("GET", `/api/v1/sessions/${project?.id}`, undefined, credentials);
  expect(one).toMatchObject({ status: 200, body: project });
});

// @covers 4C.GET /api/v1/sessions
test("projects are filtered by their exact name or by part of it in any case, in pages", async () => {
  const client = await start({ strict: true });
  for (const project of ["agent", "agent-2", "An agent"]) {
    await client.emulator.loadRuns({ project }, []);
    await client.advance(1);
  }
  expect(names(await listSessions(client))).toEqual(["An agent", "agent-2", "agent"]);
  expect(names(await listSessions(client, "?name=agent"))).toEqual(["agent"]);
  expect(names(await listSessions(client, "?name=Agent"))).toEqual([]);
  expect(names(await listSessions(client, "?name_contains=AGENT-"))).toEqual(["agent-2"]);
  expect(names(await listSessions(client, "?name_contains=%25"))).toEqual([]);
  expect(names(await listSessions(client, "?limit=1&offset=1"))).toEqual(["agent-2"]);
  for (const query of ["?limit=0", "?limit=101", "?offset=-1"])
    expect((await client.send("GET", `/api/v1/sessions${query}`, undefined, credentials)).status).toBe(422);
});

// @covers 4C.4:experiment, 2C.Project, 4C.GET /api/v1/sessions/{session_id}
test("an experiment names its dataset", async () => {
  const client = await start();
  const dataset = "55555555-5555-4555-8555-555555555555";
  await client.emulator.loadRuns({ project: "experiment", reference_dataset_id: dataset }, []);
  expect(await listSessions(client)).toMatchObject([{ name: "experiment", reference_dataset_id: dataset }]);
});

test("each workspace has its own projects", async () => {
  const client = await start();
  const { session_id } = await client.emulator.loadRuns({ project: "mine" }, []);
  const otherWorkspace = { ...credentials, "x-tenant-id": other };
  expect(await listSessions(client, "", otherWorkspace)).toEqual([]);
  const path = `/api/v1/sessions/${session_id}`;
  expectError(await client.send("GET", path, undefined, otherWorkspace), 404, `Session ${session_id} not found`);
  expect((await client.send("GET", "/api/v1/sessions/no-id", undefined, credentials)).status).toBe(422);
});

// @covers 4C.GET /api/v1/sessions
test("projects are filtered by what published clients send, also by a strict server", async () => {
  const client = await start({ strict: true });
  const dataset = "55555555-5555-4555-8555-555555555555";
  await client.emulator.loadRuns({ project: "agent" }, []);
  await client.advance(1);
  await client.emulator.loadRuns({ project: "trial", reference_dataset_id: dataset }, []);
  const [trial, agent] = await listSessions(client, "?include_stats=false");
  const found = async (query: string) => names(await listSessions(client, `?${query}`));
  expect(await found(`id=${agent?.id}`)).toEqual(["agent"]);
  expect(await found(`id=${agent?.id}&id=${trial?.id}&id=${tenant}`)).toEqual(["trial", "agent"]);
  expect(await found(`id=${tenant}`)).toEqual([]);
  expect(await found("reference_free=true")).toEqual(["agent"]);
  expect(await found("reference_free=false")).toEqual(["trial"]);
  expect(await found(`reference_dataset=${dataset}`)).toEqual(["trial"]);
  expect(await found(`reference_dataset=${tenant}`)).toEqual([]);
  expect(await found("metadata=%7B%7D")).toEqual(["trial", "agent"]);
  expect(await found("metadata=%7B%22a%22%3A1%7D")).toEqual([]);
  const invalid = await client.send("GET", "/api/v1/sessions?metadata=a", undefined, credentials);
  expect(invalid).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", "metadata"] }] } });
});

test.each(["/api-host/v2/deployments", "/sessions", "/api/sessions"])("a tolerant server has %s, too", async (path) => {
  const statusOf = async (options: object) =>
    (await (await start(options)).send("GET", path, undefined, credentials)).status;
  expect([await statusOf({}), await statusOf({ strict: true })]).toEqual([200, 404]);
});
