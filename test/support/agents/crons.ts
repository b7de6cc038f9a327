import type { PropertyMap } from "../../../provider/schema/schema";
import { type ResourceState, type Stack, type StackOptions, stateOf } from "../stack";
import { type AgentPlatform, startAgents } from "./threads";

/** A cron as its agent server returns it. */
export interface RemoteCron extends PropertyMap {
  cron_id: string;
  metadata: PropertyMap;
  payload: PropertyMap;
  enabled: boolean;
  next_run_date: string;
}

export const INPUT = { messages: [{ role: "user", content: "Summarize the day." }] };

/** What tests do with the crons of a deployment. */
export const cronsOf = (agents: AgentPlatform) => ({
  inputs: (change: PropertyMap = {}): PropertyMap => ({
    ...{ deploymentId: agents.deploymentId, assistantId: "echo", schedule: "0 3 * * *", input: INPUT },
    ...change,
  }),
  stack: (options: StackOptions = {}) => agents.stack({ kind: "Cron", name: "nightly", ...options }),
  /** Lists the crons of the deployment, newest first. */
  list: async () =>
    (await agents.callAgentServer("POST", "/runs/crons/search", { limit: 100 })).body as unknown as RemoteCron[],
  get: async (id: string) => (await agents.callAgentServer("GET", `/runs/crons/${id}`)).body as unknown as RemoteCron,
  patch: async (id: string, change: object) => {
    const { status } = await agents.callAgentServer("PATCH", `/runs/crons/${id}`, change);
    if (status !== 200) throw new Error(`The change of the cron failed: ${status}.`);
    await agents.emulator.requestLog.clear();
  },
  /** Returns the bodies of requests of the provider. */
  bodies: (method: string) => agents.emulator.requestLog.entries({ method }).map(({ body }) => body),
});

/** Starts a platform, and returns what tests do with the crons of its deployment. */
export async function startCrons(
  ...[options]: Parameters<typeof startAgents>
): Promise<{ agents: AgentPlatform; crons: ReturnType<typeof cronsOf> }> {
  const agents = await startAgents(options);
  return { agents, crons: cronsOf(agents) };
}

/** The same, with a stack and what it declares. */
export async function startCron(
  change: PropertyMap = {},
  ...[options]: Parameters<typeof startAgents>
): Promise<{ agents: AgentPlatform; crons: ReturnType<typeof cronsOf>; stack: Stack; declared: PropertyMap }> {
  const { agents, crons } = await startCrons(options);
  return { agents, crons, stack: crons.stack(), declared: crons.inputs(change) };
}

/** The request that creates a cron. */
export const POST = ({ basePath }: AgentPlatform) => ({ method: "POST", path: `${basePath}/runs/crons` }) as const;

export const withoutMarker = { config: { ownerMarker: "false" } };

export const idsOf = (crons: readonly RemoteCron[]): string[] => crons.map(({ cron_id }) => cron_id);

/** Creates the cron on a new platform and clears its request log. */
export async function createCron(
  change: PropertyMap = {},
  ...[options]: Parameters<typeof startAgents>
): Promise<{ agents: AgentPlatform; crons: ReturnType<typeof cronsOf>; stack: Stack } & ResourceState> {
  const { agents, crons } = await startCrons(options);
  const stack = crons.stack();
  await stack.up(crons.inputs(change));
  await agents.emulator.requestLog.clear();
  stack.messages = [];
  return { agents, crons, stack, ...stateOf(stack) };
}
