/** `waitFor: "healthy"`: waits until the agent server of a live revision returns success for `/ok`. */
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { readUntil, type Wait, WaitTimeoutError } from "../../../definition/wait";
import { type HttpError, ignoreHttpError } from "../../../http/errors";
import { formatDuration, truncate } from "../../../text/format";
import { UserError } from "../../../text/user-error";
import type { Inputs } from "../schema/inputs";
import { diagnose } from "./logs";
import { RolloutError, showFailure } from "./rollout-error";

/** Characters of a response that a row and an error show. */
const MAX_RESPONSE = 120;

/** Waits until the server shows the URL of the first live revision, which it may assign a little later. */
export function withUrl(live: Deployment, { clients, clock }: Context, waitUntil: Wait): Promise<Deployment> {
  const read = () => clients.controlPlane.getDeployment(live.id);
  const wait = { kind: "URL", what: "the URL of the agent server", read };
  return readUntil(live, ({ url }) => !!url, wait, { clock, waitUntil });
}

/** Waits for success of `/ok`. @param rollout.startedAt Monotonic, milliseconds. @throws RolloutError. */
export async function waitUntilHealthy(
  live: Deployment,
  desired: Inputs,
  ctx: Context,
  { wait, startedAt }: { wait: Wait; startedAt: number },
): Promise<void> {
  const { url } = live;
  if (!url) {
    ctx.log.warn(
      "waitFor: the server reports no URL for the agent server, so its health was not checked. Set " +
        'customUrl, or use waitFor: "deployed".',
    );
    return;
  }
  let response = "no response yet";
  const poll = async () => {
    const error = await ctx.clients.checkAgentHealth(url);
    if (!error) return { done: true };
    response = formatResponse(error, ctx);
    return { pending: `DEPLOYED, /ok: ${response}` };
  };
  try {
    await wait({ kind: "health", what: `the agent server at ${url} to respond to /ok`, poll });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw await toUnhealthyError(live, desired, ctx, {
      url,
      response,
      elapsed: formatDuration(ctx.clock.monotonic() - startedAt),
    });
  }
  ctx.log.progress("DEPLOYED and healthy");
}

/** Describes what is live now, by server and agent. @param current Undefined when the server did not return it. */
export async function describeLive(
  current: Deployment | undefined,
  failedRevisionId: string,
  ctx: Context,
): Promise<string> {
  if (current === undefined) return "unknown, because the server did not return the deployment";
  const { activeRevisionId: active, url } = current;
  if (active == null) return "nothing yet";
  const other = active === current.latestRevisionId ? "the latest" : "the previous";
  const which = `${active} (${active === failedRevisionId ? "this" : other} revision`;
  const unchecked = `${which}, as the server reports)`;
  if (!url) return unchecked;
  const error = await ctx.clients.checkAgentHealth(url).catch((failure: unknown) => {
    if (failure instanceof UserError) return "unchecked" as const;
    throw failure;
  });
  if (error === undefined) return `${which})`;
  return error === "unchecked" ? unchecked : `${which}, but it does not respond: /ok: ${formatResponse(error, ctx)})`;
}

function formatResponse({ status, detail }: HttpError, ctx: Context): string {
  // Redact before truncating: half of a secret would not be recognized.
  return truncate(`${status ?? "no response"}: ${ctx.log.redact(detail).split("\n")[0]}`, MAX_RESPONSE);
}

async function toUnhealthyError(
  live: Deployment,
  desired: Inputs,
  ctx: Context,
  { url, response, elapsed }: { url: string; response: string; elapsed: string },
): Promise<RolloutError> {
  const revision = live.activeRevisionId ?? "";
  const { id: deploymentId } = live;
  const { tail } = await diagnose({ deploymentId, name: desired.name, revisionId: revision, status: "DEPLOYED" }, ctx);
  const current = (await ctx.clients.controlPlane.getDeployment(deploymentId).catch(ignoreHttpError)) ?? live;
  const isLive = current.activeRevisionId === revision;
  showFailure("not healthy", response, ctx);
  return new RolloutError({
    summary:
      `Deployment "${desired.name}": the new revision is live, but the agent server was not healthy after ` +
      `${elapsed}.`,
    details: [
      ["deployment", deploymentId],
      ["revision", revision],
      ["image", desired.sourceRevisionConfig?.imageUri],
      ["ref", desired.sourceRevisionConfig?.repoRef],
      ["health", `GET ${url.replace(/\/$/, "")}/ok`],
      ["response", response],
    ],
    log: tail,
    live: isLive ? `${revision} (this revision)` : await describeLive(current, revision, ctx),
    hint: "Fix the cause and run `pulumi up` again. If the program is unchanged, `pulumi up` only checks /ok again.",
    remote: current,
  });
}
