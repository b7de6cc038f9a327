import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { LogType } from "../control-plane/logs/logs";
import { commandsOf } from "../control-plane/model/commands";
import { type DeploymentRecord, type RevisionRecord, updateRevision } from "../control-plane/model/records";
import { openSecrets } from "../control-plane/model/secrets";
import { CommandError, describeCommand } from "../runtime/agents/commands";
import { Redactor } from "../runtime/agents/output";
import { describeExit } from "../runtime/agents/processes";
import type { Context } from "../runtime/context";
import { builtMark, sourceFolder } from "./folders";
import { type AgentRevision, launchOf } from "./launch";
import { AgentLog } from "./log";
import { fetchSource } from "./source";

/**
 * Fetches the source of a revision and runs its commands `install` and `build`, unless that is done. @throws
 * CommandError
 */
export async function buildAgent(
  context: Context,
  agent: AgentRevision,
  type: LogType,
  signal: AbortSignal,
): Promise<void> {
  const { deployment, revision } = agent;
  const mark = builtMark(context, revision.id);
  if (existsSync(mark)) return;
  const log = new AgentLog(context, revision.id, type);
  try {
    const commit = await fetchInto(context, agent, signal);
    if (commit !== undefined)
      log.add({ level: "INFO", message: `Cloned ${deployment.source_config.repo_url} at ${commit}` });
    for (const step of ["install", "build"] as const) await runStep(context, agent, step, { log, signal });
    await writeFile(mark, "");
  } finally {
    log.close();
  }
}

async function fetchInto(
  context: Context,
  { deployment, revision, commands }: AgentRevision,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = sourceFolder(context, revision.id);
  // A folder of the user takes the place of the source, which then needs none.
  const from = commands.folder === undefined ? deployment : { ...deployment, source: "external_docker" as const };
  const commit = await fetchSource(context, from, revision, { folder, signal, timeouts: commands.timeouts });
  if (commit === undefined) return undefined;
  const source_revision_config = { ...revision.source_revision_config, repo_commit_sha: commit };
  context.store.transaction(() => updateRevision(context, revision.id, { source_revision_config }));
  return commit;
}

async function runStep(
  context: Context,
  agent: AgentRevision,
  step: "install" | "build",
  { log, signal }: { log: AgentLog; signal: AbortSignal },
): Promise<void> {
  const { [step]: command, timeouts } = agent.commands;
  if (command === undefined) return;
  const redact = redactorOf(context, agent);
  log.add({ level: "INFO", message: `$ ${redact.apply(describeCommand(command))}` });
  const launch = launchOf(context, agent, command);
  const process = await context.agents.processes.start(launch, redact, (line) => log.add(line));
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeouts[step])]);
  const exit = await process.exitBefore(timeout);
  if (exit === undefined) await process.end(timeouts.stop);
  signal.throwIfAborted();
  if (exit === undefined) throw new CommandError(`"${step}" did not end within ${timeouts[step] / 1000} s`);
  if (exit.code !== 0) throw new CommandError(`"${step}" ${describeExit(exit)}`);
}

/** Returns the command that starts the agent of a revision, for people; null if the built-in graphs respond. */
export function describeStart(context: Context, deployment: DeploymentRecord, revision: RevisionRecord): string | null {
  const commands = commandsOf(context, deployment, revision);
  if (commands === undefined) return null;
  return redactorOf(context, { deployment, revision }).apply(describeCommand(commands.start));
}

type WithSecrets = Pick<AgentRevision, "deployment" | "revision">;

export function redactorOf(context: Context, { deployment, revision }: WithSecrets): Redactor {
  return new Redactor(openSecrets(context, deployment.id, revision.secrets).map(({ value }) => value));
}
