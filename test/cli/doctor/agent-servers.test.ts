/**
 * What `agentgraph doctor` reports of the agent servers on which a stack has assistants or crons, and what it requests.
 */
import { checkAgentServers, checkCrons } from "../../../cli/doctor/agent-servers";
import type { StateResource } from "../../../cli/shared/pulumi/state";
import { dynamicToken, nativeToken } from "../../../provider/definition/type-token";
import { readSettings } from "../../../provider/settings/settings";
import { type AgentPlatform, imageAt, startAgents } from "../../support/agents/threads";
import { numberedId, startAgentClient } from "../../support/servers/agent-client";
import { json } from "../../support/servers/server";

const HOUR_MS = 3_600_000;
const GONE = "99999999-9999-4999-8999-999999999999";

function resource(agents: AgentPlatform, kind: string, name: string, id: unknown, change: StateResource = {}) {
  const { deploymentId } = agents;
  const urn = `urn:pulumi:dev::shop::${dynamicToken(kind)}::${name}`;
  return { type: dynamicToken(kind), urn, id: String(id), inputs: { deploymentId }, ...change };
}

/** Runs the checks; the requests are those to agent servers. */
async function check(agents: AgentPlatform, resources: readonly StateResource[]) {
  await agents.emulator.requestLog.clear();
  const config: Record<string, string> = { controlPlaneUrl: agents.url, apiKey: "the-key" };
  const settings = readSettings((key) => config[key.replace("agentgraph:", "")], {});
  const groups = await checkAgentServers(resources, settings, { now: () => agents.clock.now() } as never);
  const lines = groups.flatMap(({ checks }) => checks.map(({ status, message }) => `${status}: ${message}`));
  return { groups, lines, requests: agents.agentRequests() };
}

async function createCron(agents: AgentPlatform, body: object = {}): Promise<string> {
  const request = { assistant_id: "echo", schedule: "0 3 * * *", input: {}, ...body };
  return String((await agents.callAgentServer("POST", "/runs/crons", request)).body.cron_id);
}
const SUPPORTED = "ok: reachable; supports assistants and crons";
/** A second page, which is empty, ends each search. */
const READS = ["GET /v2/deployments/{id}", "GET /info", "POST /runs/crons/search", "GET /assistants/{id}"];

it("no request is sent for a stack without assistants and crons, and for objects to be deleted", async () => {
  const agents = await startAgents();
  const thread = resource(agents, "Thread", "session", GONE);
  const replaced = resource(agents, "Cron", "nightly", GONE, { delete: true });
  expect(await check(agents, [thread, replaced])).toEqual({ groups: [], lines: [], requests: [] });
});

it("crons in order are one line, after one search for all of them", async () => {
  const agents = await startAgents();
  const ids = await Promise.all([1, 2, 3].map(() => createCron(agents)));
  const [first, ...others] = ids.map((id, n) => resource(agents, "Cron", `cron-${n}`, id));
  const native = { ...first, type: nativeToken("Cron") };
  const all = [native, ...others, resource(agents, "Assistant", "a", GONE)];
  const { groups, lines, requests } = await check(agents, all);
  expect(groups.map(({ title }) => title)).toEqual([`Agent server of deployment ${agents.deploymentId}`]);
  expect(lines).toEqual([SUPPORTED, "ok: 3 crons of this stack are in order"]);
  expect(new Set(requests)).toEqual(new Set(READS));
  expect(requests.length).toBeLessThanOrEqual(6);
});

it("a server at a URL that anybody may have written is not asked, and the line names the setting", async () => {
  const [agents, foreign] = [await startAgents(), await startAgents()];
  const { deployments: [deploymentId] = [] } = await agents.emulator.seed({
    deployments: [{ name: "own", ...imageAt(foreign.url) }],
  });
  const { lines } = await check(agents, [resource(agents, "Assistant", "support", GONE, { inputs: { deploymentId } })]);
  expect(lines).toEqual([expect.stringMatching(/^skipped: could not check.*agentgraph:agentOrigins '/s)]);
  expect(foreign.requests()).toEqual([]);
});

// @covers 2B.Cron.end_time
it("a cron that is gone, has ended, or is late is a note with its name", async () => {
  const agents = await startAgents();
  const ended = await createCron(agents, { end_time: new Date(agents.clock.now() - HOUR_MS).toISOString() });
  const paused = await createCron(agents, { enabled: false });
  const resources = [
    resource(agents, "Cron", "gone", GONE),
    resource(agents, "Cron", "ended", ended),
    resource(agents, "Cron", "paused", paused),
  ];
  const { lines } = await check(agents, resources);
  expect(lines).toEqual([
    SUPPORTED,
    "ok: 1 cron of this stack is in order",
    "note: cron gone does not exist any more",
    expect.stringMatching(/^note: cron ended ended at .*Z, and does not fire any more$/),
  ]);
});

// @covers 3B.cron:end-time
it("a cron whose time has passed shows that the scheduler stands still", async () => {
  const agents = await startAgents();
  await createCron(agents, { end_time: "2999-01-01T00:00:00Z" });
  const stopped = await createCron(agents, { schedule: "*/5 * * * *" });
  await agents.advance(HOUR_MS);
  const { lines } = await check(agents, [resource(agents, "Cron", "nightly", stopped)]);
  expect(lines).toEqual([
    SUPPORTED,
    expect.stringMatching(/^note: cron nightly should have fired at .*, so the scheduler of the server stands still$/),
  ]);
});

it("a cron whose assistant others have deleted with it is gone", async () => {
  const agents = await startAgents();
  const assistant = (await agents.callAgentServer("POST", "/assistants", { graph_id: "echo" })).body;
  const id = await createCron(agents, { assistant_id: assistant.assistant_id });
  await agents.callAgentServer("DELETE", `/assistants/${assistant.assistant_id}`);
  const { lines } = await check(agents, [resource(agents, "Cron", "nightly", id)]);
  expect(lines).toEqual([SUPPORTED, "note: cron nightly does not exist any more"]);
});

it("a server without crons is a note, and is asked for nothing else", async () => {
  const agents = await startAgents({ agentServer: "javascript" });
  const { lines, requests } = await check(agents, [resource(agents, "Assistant", "concierge", GONE)]);
  expect(lines).toEqual(["note: reachable; supports no crons, so a Cron cannot be created on it"]);
  expect(requests).toEqual(["GET /v2/deployments/{id}", "GET /info"]);
});

it("a deployment that is gone is reported as not checked", async () => {
  const agents = await startAgents();
  const { lines } = await check(agents, [resource(agents, "Cron", "c", GONE, { inputs: { deploymentId: GONE } })]);
  const reason = "the deployment does not exist, or has no URL";
  expect(lines).toEqual([`skipped: could not check its assistants and crons: ${reason}`]);
});

const notFound = json(404, { detail: "Assistant not found" });
const cron = (n: number) => ({ cron_id: numberedId(n), assistant_id: numberedId(10 + n), enabled: true });
const assistant = (n: number) => ({ assistant_id: numberedId(10 + n), graph_id: "support", metadata: {} });
const byDefault = { assistant_id: numberedId(99), graph_id: "echo", metadata: { created_by: "system" } };
const named = (n: number) => ({ name: `cron-${n}`, id: numberedId(n) });

// @covers 4B.GET /assistants/{assistant_id}
it("of many crons, those whose graph is missing are notes, after one request for each graph", async () => {
  const { agent, requests } = await startAgentClient(
    json(200, [cron(1), cron(2), cron(3)]),
    json(200, [assistant(1), assistant(2), assistant(3)]),
    notFound,
  );
  const checks = await checkCrons([1, 2, 3].map(named), agent);
  expect(checks.map(({ message }) => message)).toEqual(
    [1, 2, 3].map((n) => `cron cron-${n} makes runs that fail: the server lacks the graph support`),
  );
  const searches = ["POST /runs/crons/search", "POST /assistants/search"];
  expect(requests()).toEqual([...searches, `GET /assistants/${numberedId(11)}`]);
});

it.each([
  [
    [byDefault],
    [
      "cron cron-1 makes runs that fail: its assistant 00000000-0000-4000-8000-000000000011 does not exist, " +
        "or its graph is missing",
    ],
  ],
  [[], ["1 cron of this stack is in order"]],
])(
  "an assistant that is not found is a note if the server shows default assistants (%j), and shows none otherwise",
  async (listed, expected) => {
    const { agent } = await startAgentClient(json(200, cron(1)), notFound, json(200, listed), json(200, []));
    expect((await checkCrons([named(1)], agent)).map(({ message }) => message)).toEqual(expected);
  },
);
