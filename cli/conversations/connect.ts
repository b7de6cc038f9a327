/** Connects to the agent server that a command names. */
import { Clients } from "../../provider/api/clients";
import type { Probe } from "../../provider/conversations/server/conversation-server";
import { type OpenedServer, openConversations } from "../../provider/conversations/server/open-server";
import { realClock } from "../../provider/http/clock";
import { credentialsIn, readSettings, type Settings } from "../../provider/settings/settings";
import { redact } from "../../provider/text/redact";
import { UserError } from "../../provider/text/user-error";
import { readStackConfig } from "../shared/pulumi/stack-config";
import { type CommandContext, type Options, UsageError } from "../shared/subcommand";
import { readHeaders, secretsIn } from "./headers";

export interface Connected extends OpenedServer {
  close(): Promise<void>;
}

/** @throws UserError when there is no such server, or it rejects the credentials. */
export async function connect(options: Options, context: CommandContext): Promise<Connected> {
  const { close, ...agent } = await connectAgent(options, context);
  return { ...(await openConversations(agent)), close };
}

/** Finds the agent server without sending it a request. @throws UserError when there is no such deployment. */
export async function connectAgent(
  options: Options,
  context: CommandContext,
): Promise<{ url: string; probe: Probe; close(): Promise<void> }> {
  const { deployment, url, stack } = options as { deployment?: string; url?: string; stack?: string };
  if ((deployment === undefined) === (url === undefined))
    throw new UsageError("Name the agent server: pass either --deployment or --url.");
  const headers = readHeaders(options);
  for (const value of secretsIn(headers)) context.secrets.add(value);
  const clients = new Clients(await readSettingsOf(stack, context), realClock);
  const container =
    url === undefined ? { deploymentId: await findId(String(deployment), clients) } : { deploymentUrl: url };
  const agent = await clients.agentServers.resolve("conversations", container);
  const probe: Probe = async (request) => {
    const response = await agent.probe({ ...request, headers: { ...headers, ...request.headers } });
    // An error may repeat a header, and is noted in files.
    if (response.status < 300 || response.text === undefined) return response;
    return { ...response, text: redact(response.text, [...context.secrets]) };
  };
  return { url: agent.url, probe, close: () => clients.close() };
}

/**
 * Returns the settings of a stack, whose secrets are redacted from then on.
 * @throws UserError where they are not valid.
 */
export async function readSettingsOf(
  stack: string | undefined,
  { folder, env, secrets }: Pick<CommandContext, "folder" | "env" | "secrets">,
): Promise<Settings> {
  const { config, encrypted, status, message, remedy } = await readStackConfig(stack, { folder, env });
  if (status === "fix") throw new UsageError(`--stack: ${message}. ${remedy}`);
  for (const key of encrypted) secrets.add(String(config[key]));
  const settings = readSettings((key) => config[key], env);
  for (const value of credentialsIn(settings)) secrets.add(value);
  return settings;
}

export async function findId(name: string, clients: Clients): Promise<string> {
  const found = await clients.deploymentCache.findFirst((one) => one.name === name || one.id === name);
  if (found) return found.id;
  throw new UserError(
    `No deployment with the name or ID "${name}" exists in this workspace. Correct it, or check tenantId.`,
  );
}
