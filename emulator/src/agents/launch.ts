import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { DeploymentRecord, RevisionRecord } from "../control-plane/model/records";
import { requiresBuild } from "../control-plane/model/records";
import { openSecrets } from "../control-plane/model/secrets";
import { type AgentCommands, type Command, CommandError, fillCommand } from "../runtime/agents/commands";
import { checkVariables } from "../runtime/agents/environment";
import type { Launch } from "../runtime/agents/processes";
import type { Context } from "../runtime/context";
import { isObject } from "../runtime/validation/validator";
import { sourceFolder } from "./folders";

/** A revision with the commands that run it. */
export interface AgentRevision {
  deployment: DeploymentRecord;
  revision: RevisionRecord;
  commands: AgentCommands;
}

/** Returns a command of a revision as a program to start. @throws CommandError */
export function launchOf(context: Context, agent: AgentRevision, command: Command, port?: number): Launch {
  const { deployment, revision, commands } = agent;
  const folder = commands.folder ?? sourceFolder(context, revision.id);
  const { agentgraph_config_path: configPath, image_uri } = revision.source_revision_config;
  const config = configPath == null ? undefined : pathInside(folder, configPath);
  const { argv, environment } = fillCommand(command, {
    port: port?.toString(),
    folder,
    // The image of a build does not exist.
    image: requiresBuild(deployment) ? undefined : (image_uri ?? undefined),
    config,
    name: deployment.name,
    revision: revision.id,
  });
  const secrets = Object.fromEntries(
    openSecrets(context, deployment.id, revision.secrets).map(({ name, value }) => [name, value]),
  );
  return {
    argv,
    folder,
    environment: {
      ...inherited(commands),
      ...(config === undefined ? {} : checkVariables("The variable of the graph configuration", environmentOf(config))),
      ...commands.environment,
      ...checkVariables("The secret", secrets),
      ...environment,
      ...(port !== undefined && { PORT: String(port) }),
    },
  };
}

function inherited({ inherit }: AgentCommands): Record<string, string> {
  const entries = inherit.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Returns the variables that a graph configuration defines. */
function environmentOf(config: string): Record<string, string> {
  if (!existsSync(config)) return {};
  try {
    const content: unknown = JSON.parse(readFileSync(config, "utf8"));
    const env = isObject(content) && isObject(content.env) ? content.env : {};
    return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  } catch {
    // A source that is uploaded was checked; other files are the agent's own.
    return {};
  }
}

/** Returns the path of a file in a folder. @throws CommandError if it leads out of it, also by a link. */
function pathInside(folder: string, path: string): string {
  const target = resolve(folder, path.replace(/^\/+/, ""));
  const real = existsSync(target) ? realpathSync(target) : target;
  const root = existsSync(target) ? realpathSync(folder) : folder;
  const way = relative(root, real);
  if (way.startsWith("..") || isAbsolute(way)) throw new CommandError(`The path ${path} leads out of the source`);
  return target;
}
