import { setTimeout as sleep } from "node:timers/promises";
import { authorizeAgentRequest, requireLiveDeployment } from "../../agent-server/requests/auth";
import { formatAgentError } from "../../agent-server/server/javascript-errors";
import { deploymentById } from "../../control-plane/model/records";
import { errorResponse } from "../../http/http-messages";
import type { HttpResponse } from "../../http/route";
import type { Agent } from "../../runtime/agents/agent";
import { commandsFor } from "../../runtime/agents/commands";
import type { Context } from "../../runtime/context";
import { ApiError, withTextDetail } from "../../runtime/errors";

/** An agent that is available, and the path as it sees it. */
export interface Target {
  agent: Agent;
  host: string;
  port: number;
  path: string;
  prefix: string;
}

/** What needs no credentials, with any `--agent-auth`. */
const publicPaths = ["/ok", "/info"];

function parsePath({ pathname }: URL): { id: string; path: string } | undefined {
  const [, id, path] = /^\/agents\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
  return id === undefined ? undefined : { id: id.toLowerCase(), path: path ?? "/" };
}

/** Returns the ID of the deployment whose agent serves an address; undefined if no process does. */
export function deploymentOf({ store, settings }: Context, url: URL): string | undefined {
  const id = parsePath(url)?.id;
  const deployment = id === undefined ? undefined : deploymentById(store, id);
  return deployment && commandsFor(settings, deployment) ? id : undefined;
}

/** Milliseconds that a request waits for an agent that is starting, and between two looks at it. */
const longestWaitMs = 20_000;
const pollMs = 25;

/** Waits while the live agent of an address is starting, as after a start of the emulator; not for one that crashed. */
export async function untilStarted({ store, agents }: Context, url: URL): Promise<void> {
  const id = deploymentById(store, parsePath(url)?.id ?? "")?.active_revision_id;
  const end = performance.now() + longestWaitMs;
  while (id != null && agents.isStarting(id) && performance.now() < end) await sleep(pollMs, undefined, { ref: false });
}

/** Authorizes a request and finds its agent. @throws ApiError */
export function resolveTarget(context: Context, url: URL, header: (name: string) => string | undefined): Target {
  const { id, path } = parsePath(url) ?? { id: "", path: "/" };
  const deployment = publicPaths.includes(path)
    ? requireLiveDeployment(context, id)
    : authorizeAgentRequest(context, id, header).deployment;
  const agent = context.agents.find(deployment.active_revision_id);
  if (agent?.address && !agent.ownsPort()) {
    throw new ApiError(503, `Another process listens at the port of the agent, and gets no requests. ${logOf(url)}`);
  }
  if (agent?.address) return { agent, ...agent.address, path: path + url.search, prefix: `/agents/${id}` };
  const reason = agent?.describe().last_exit;
  throw new ApiError(503, reason ? `The agent ${reason} and is started again. ${logOf(url)}` : "The agent is starting");
}

/** The error of an agent that closed the connection. */
export function noResponse(url: URL, { message }: Error): ApiError {
  return new ApiError(502, `The agent did not respond: ${message}. ${logOf(url)}`);
}

/** Says where the log of an agent is. */
function logOf(url: URL): string {
  return `Its log is on the page ${url.origin}/#/deployments/${parsePath(url)?.id}`;
}

/** Formats an error as the built-in agent servers do. */
export function agentError(context: Context, error: unknown): HttpResponse {
  const formatted = error instanceof ApiError ? formatAgentError(context, error) : undefined;
  return formatted ?? errorResponse(withTextDetail(error));
}
