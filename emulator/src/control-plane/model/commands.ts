import { type AgentCommands, commandsFor } from "../../runtime/agents/commands";
import type { Context } from "../../runtime/context";
import type { DeploymentRecord, RevisionRecord } from "./records";

/**
 * Returns the commands of a new revision as they are stored: encrypted, because their environment may contain secrets.
 */
export function sealCommands(context: Context, deployment: DeploymentRecord): string | null {
  const commands = commandsFor(context.settings, deployment);
  return commands ? context.secretBox.seal(JSON.stringify(commands), deployment.id) : null;
}

/**
 * Returns the commands of a revision: those that it was created with, so that it stays as it is when the emulator is
 * started with other ones. Undefined if the emulator runs no agent for the deployment.
 */
export function commandsOf(
  { settings, secretBox }: Pick<Context, "settings" | "secretBox">,
  deployment: DeploymentRecord,
  { commands }: RevisionRecord,
): AgentCommands | undefined {
  const configured = commandsFor(settings, deployment);
  if (configured === undefined || commands === null) return configured;
  return JSON.parse(secretBox.open(commands, deployment.id));
}
