import { writeLog } from "../control-plane/logs/logs";
import { isDeleting } from "../control-plane/lookup";
import { commandsOf } from "../control-plane/model/commands";
import { deploymentById, revisionById, runningRevisions } from "../control-plane/model/records";
import { awaitsCommand, finalStatuses, finishCommand } from "../control-plane/rollout/rollout";
import { Agent } from "../runtime/agents/agent";
import { CommandError } from "../runtime/agents/commands";
import type { Context } from "../runtime/context";
import { logError } from "../runtime/text/printable";
import { buildAgent, redactorOf } from "./build";
import { removeFolder } from "./folders";
import { type AgentRevision, launchOf } from "./launch";
import { AgentLog } from "./log";

/**
 * Starts and ends what differs between the revisions in the store and the agents that run. Call it after every change.
 */
export function reconcile(context: Context): void {
  const { agents } = context;
  const wanted = wantedAgents(context);
  for (const id of agents.revisionIds()) {
    if (!wanted.has(id)) agents.retire(id, () => removeFolder(context, id));
  }
  for (const agent of wanted.values()) {
    const { id, status } = agent.revision;
    if (awaitsCommand(context, agent.deployment, agent.revision)) {
      const work = status === "BUILDING" ? build : deploy;
      startTask(context, agent, (signal) => work(context, agent, signal));
    } else if (finalStatuses.includes(status) && !agents.find(id)) {
      startTask(context, agent, (signal) => restore(context, agent, signal));
    }
  }
}

function wantedAgents(context: Context): Map<string, AgentRevision> {
  const entries = runningRevisions(context.store).flatMap((revision): [string, AgentRevision][] => {
    const deployment = deploymentById(context.store, revision.deployment_id);
    const commands = deployment && !isDeleting(deployment) && commandsOf(context, deployment, revision);
    return commands ? [[revision.id, { deployment, revision, commands }]] : [];
  });
  return new Map(entries);
}

/** Starts a task for a revision, unless it has one. The task ends when the revision is no longer wanted. */
function startTask(context: Context, { revision }: AgentRevision, work: Work): void {
  const { agents, backgroundTasks } = context;
  const { id, status } = revision;
  if (agents.pending.has(id)) return;
  const abort = new AbortController();
  agents.pending.set(id, abort);
  backgroundTasks.start(`agent ${id} ${status}`, async (signal) => {
    await work(AbortSignal.any([signal, abort.signal]));
    if (abort.signal.aborted) await removeFolder(context, id);
  });
}

type Work = (signal: AbortSignal) => Promise<void>;

/** BUILDING: fetches the source and runs `install` and `build`. */
async function build(context: Context, agent: AgentRevision, signal: AbortSignal): Promise<void> {
  await finish(context, agent, signal, () => buildAgent(context, agent, "build", signal));
}

/** DEPLOYING: starts the agent and waits until it is healthy. */
async function deploy(context: Context, agent: AgentRevision, signal: AbortSignal): Promise<void> {
  await finish(context, agent, signal, async () => {
    const limit = context.settings.agents?.limits.processes ?? 0;
    if (context.agents.count >= limit) {
      throw new CommandError(`${limit} agents are running, which is the limit of the agents file`);
    }
    await buildAgent(context, agent, "deploy", signal);
    signal.throwIfAborted();
    const started = newAgent(context, agent);
    context.agents.add(agent.revision.id, started);
    await started.start(signal);
  });
}

/** Starts the agent of a live revision again, after a start of the emulator or for a seeded deployment. */
async function restore(context: Context, agent: AgentRevision, signal: AbortSignal): Promise<void> {
  const { id } = agent.revision;
  try {
    await buildAgent(context, agent, "deploy", signal);
    if (signal.aborted) return;
    const started = newAgent(context, agent);
    context.agents.add(id, started);
    started.keepRunning();
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof CommandError)) throw error;
    const log = new AgentLog(context, id, "deploy");
    log.add({ level: "ERROR", message: `The agent could not be started again: ${error.message}` });
    log.close();
  } finally {
    context.agents.pending.delete(id);
  }
}

function newAgent(context: Context, agent: AgentRevision): Agent {
  const { commands, revision } = agent;
  const launch = (port: number) => launchOf(context, agent, commands.start, port);
  const log = new AgentLog(context, revision.id, "deploy");
  return new Agent({ commands, redact: redactorOf(context, agent), launch, log }, context.agents.processes);
}

/** Does the work of a status, and stores how it ended. */
async function finish(
  context: Context,
  { revision: { id, status } }: AgentRevision,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  let failure: string | undefined;
  try {
    await work();
  } catch (error) {
    if (!signal.aborted && !(error instanceof CommandError)) logError(error);
    failure = error instanceof Error ? error.message : String(error);
  }
  context.agents.pending.delete(id);
  if (signal.aborted) return;
  context.store.transaction(() => {
    if (failure !== undefined) warnOfLiveAgent(context, id, status);
    finishCommand(context, id, status, failure);
  });
  if (failure !== undefined) await removeFolder(context, id);
}

/** Says in the log of a revision that fails that the live one, which stays, does not respond either. */
function warnOfLiveAgent(context: Context, id: string, status: string): void {
  const revision = revisionById(context.store, id);
  const live = revision && deploymentById(context.store, revision.deployment_id)?.active_revision_id;
  if (!revision || live == null) return;
  const agent = context.agents.find(live)?.describe();
  if (agent?.status === "healthy") return;
  const reason = agent?.last_exit ? `its agent ${agent.last_exit}` : "its agent does not run";
  const message = `The live revision ${live} is not healthy: ${reason}. Requests get a 503`;
  writeLog(context, revision, status === "BUILDING" ? "build" : "deploy", [{ level: "WARNING", message }]);
}
