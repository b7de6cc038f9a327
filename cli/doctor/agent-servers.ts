/**
 * Checks the agent servers on which the stack has assistants or crons, and whether these crons still serve a purpose.
 */
import { isDefaultAssistant } from "../../provider/api/agent-server/assistants";
import type { AgentServerClient } from "../../provider/api/agent-server/client";
import type { Cron } from "../../provider/api/agent-server/crons";
import { Clients } from "../../provider/api/clients";
import { findFirst } from "../../provider/api/pagination";
import { kindOfToken, parseUrn } from "../../provider/definition/type-token";
import { realClock } from "../../provider/http/clock";
import { noRetry } from "../../provider/http/retry";
import { parseServerTimestamp } from "../../provider/schema/timestamp";
import type { Settings } from "../../provider/settings/settings";
import { UserError } from "../../provider/text/user-error";
import type { Check, Group } from "../shared/check";
import type { StateResource } from "../shared/pulumi/state";
import type { CommandContext } from "../shared/subcommand";

interface StateObject {
  kind: string;
  name: string;
  id: string;
  inputs: Record<string, unknown>;
}

/** Returns a group for each agent server of an assistant or a cron in state. */
export async function checkAgentServers(
  resources: readonly StateResource[],
  settings: Settings,
  { now }: CommandContext,
): Promise<Group[]> {
  const clients = new Clients(settings, { ...realClock, now }, noRetry);
  const byServer = Map.groupBy(objectsIn(resources), ({ inputs: { deploymentUrl, deploymentId } }) =>
    String(deploymentUrl ?? deploymentId),
  );
  return Promise.all([...byServer].map(([server, objects]) => checkAgentServer(server, objects, clients)));
}

const objectsIn = (resources: readonly StateResource[]): StateObject[] =>
  resources.flatMap((resource) => {
    const { type = "", urn = "", id, inputs = {} } = resource;
    const kind = kindOfToken(type) ?? "";
    if ((kind !== "Assistant" && kind !== "Cron") || !id || resource.delete) return [];
    return [{ kind, name: parseUrn(urn).name, id, inputs }];
  });

/** @param server The URL of the agent server, or the ID of its deployment. */
async function checkAgentServer(server: string, objects: readonly StateObject[], clients: Clients): Promise<Group> {
  const title = `Agent server of ${URL.canParse(server) ? new URL(server).origin : `deployment ${server}`}`;
  try {
    const agent = await findServer(server, clients);
    if (!agent) return { title, checks: [skipped("the deployment does not exist, or has no URL")] };
    const hasCrons = await agent.crons.areSupported();
    const crons = objects.filter(({ kind }) => kind === "Cron");
    return { title, checks: [supportCheck(hasCrons), ...(hasCrons === false ? [] : await checkCrons(crons, agent))] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { title, checks: [skipped(error.message)] };
  }
}

const skipped = (reason: string): Check => ({
  id: "agent-server",
  status: "skipped",
  message: `could not check its assistants and crons: ${reason}`,
});

function supportCheck(hasCrons: boolean | undefined): Check {
  const id = "agent-server";
  if (hasCrons === undefined) return { id, status: "note", message: "does not say whether it supports crons" };
  if (hasCrons) return { id, status: "ok", message: "reachable; supports assistants and crons" };
  return { id, status: "note", message: "reachable; supports no crons, so a Cron cannot be created on it" };
}

async function findServer(server: string, { agentServers }: Clients): Promise<AgentServerClient | undefined> {
  if (URL.canParse(server)) return agentServers.serverFromUserUrl(server);
  const deployment = await agentServers.findDeployment(server);
  return deployment && agentServers.serverOf(deployment);
}

interface StateCron {
  /** Name of the resource. */
  name: string;
  id: string;
}

/** How late a cron may be. Servers look every few seconds, and one that starts needs a minute. */
const MAX_DELAY_MS = 10 * 60_000;

/** Returns a note for each cron with a problem. Sends one search for all of them, and one for their assistants. */
export async function checkCrons(crons: readonly StateCron[], server: AgentServerClient): Promise<Check[]> {
  if (crons.length === 0) return [];
  const found = await Promise.all(crons.map(async (one) => ({ ...one, cron: await server.crons.peek(one.id) })));
  const missing = await missingAssistants(
    found.flatMap(({ cron }) => cron?.assistantId ?? []),
    server,
  );
  const notes = found.flatMap(({ name, cron }) => {
    const problem = cron ? problemOf(cron, missing, server.now()) : GONE;
    return problem ? [note(name, problem)] : [];
  });
  const count = crons.length - notes.length;
  const what = count === 1 ? "cron of this stack is" : "crons of this stack are";
  return [
    ...(count > 0 ? [{ id: "crons", status: "ok", message: `${count} ${what} in order` } as const] : []),
    ...notes,
  ];
}

type Problem = readonly [problem: string, remedy: string];

const note = (name: string, [problem, remedy]: Problem): Check => ({
  id: "cron",
  status: "note",
  message: `cron ${name} ${problem}`,
  remedy,
});

const GONE: Problem = ["does not exist any more", "Run `pulumi up --refresh` to create it again."];

function toMilliseconds(timestamp: unknown): number | undefined {
  const microseconds = parseServerTimestamp(timestamp);
  return microseconds === undefined ? undefined : Number(microseconds / 1000n);
}

function problemOf(
  { assistantId, enabled, endTime, nextRunDate }: Cron,
  missing: ReadonlyMap<string, string>,
  now: number,
): Problem | undefined {
  const reason = missing.get(assistantId ?? "");
  if (reason !== undefined)
    return [`makes runs that fail: ${reason}`, "Deploy a revision that has the graph, or remove the cron."];
  const end = toMilliseconds(endTime);
  if (end !== undefined && end <= now)
    return [
      `ended at ${endTime}, and does not fire any more`,
      "Remove it from the program, or declare another endTime.",
    ];
  const next = toMilliseconds(nextRunDate);
  if (enabled === false || next === undefined || next > now - MAX_DELAY_MS) return undefined;
  return [
    `should have fired at ${nextRunDate}, so the scheduler of the server stands still`,
    endTime == null
      ? "Read the logs of the deployment. On the published development server, any cron with an endTime stops " +
        "those that were created after it."
      : "Read the logs of the deployment. The published development server never fires a cron with an endTime, " +
        "and it stops those that were created after it.",
  ];
}

/** Returns why runs of an assistant fail, by its ID. An assistant is not found by GET if the server lacks its graph. */
async function missingAssistants(
  ids: readonly string[],
  { assistants }: AgentServerClient,
): Promise<Map<string, string>> {
  const found = await Promise.all([...new Set(ids)].map(async (id) => ({ id, assistant: await assistants.peek(id) })));
  const listed = found.flatMap(({ assistant }) => assistant ?? []);
  const ofGraph = [...Map.groupBy(listed, ({ graphId }) => graphId ?? "").values()].flatMap(([first]) => first ?? []);
  const reads = ofGraph.map(async ({ assistantId, graphId }) => ({ graphId, one: await assistants.get(assistantId) }));
  const lostGraphs = new Set((await Promise.all(reads)).filter(({ one }) => !one).map(({ graphId }) => graphId));
  const lost = listed.filter(({ graphId }) => lostGraphs.has(graphId));
  const absent = found.filter(({ assistant }) => !assistant).map(({ id }) => id);
  // With custom authentication, nobody sees default assistants, although runs may use them.
  const seesDefaults = absent.length > 0 && (await findFirst(assistants.list(), isDefaultAssistant)) !== undefined;
  return new Map([
    ...lost.map(({ assistantId, graphId }): [string, string] => [assistantId, `the server lacks the graph ${graphId}`]),
    ...(seesDefaults ? absent : []).map((id): [string, string] => [
      id,
      `its assistant ${id} does not exist, or its graph is missing`,
    ]),
  ]);
}
