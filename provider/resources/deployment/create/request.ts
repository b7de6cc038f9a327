/** Sends the request that creates a deployment. A rejection shows which integrations or listeners exist. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { collectAvailable } from "../../../api/pagination";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { NEXT_UP_HINT, toUndeterminedError } from "../../shared/idempotent-create";
import { toCreateRequest } from "../mapping";
import { isMasked, markerIn } from "../response";
import type { Inputs } from "../schema/inputs";
import { createdInThisRun } from "./find";

/** Creates a deployment. A lost response is resolved by its name, never by a second POST. */
export async function createDeployment(
  desired: Inputs,
  marker: string | undefined,
  ctx: Context,
): Promise<RemoteDeployment> {
  try {
    return await ctx.clients.controlPlane.createDeployment(toCreateRequest(desired, marker));
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw await explainRejection(error, ctx);
    const created = await ctx.clients.deploymentCache.searchByName(desired.name).catch((failure: unknown) => {
      throw toUndeterminedError(error, failure);
    });
    if (!created)
      throw error.withHint(
        `No deployment has the name "${desired.name}", so it was probably not created. ${NEXT_UP_HINT}`,
      );
    if (marker === undefined || isMasked(created) ? createdInThisRun(created, ctx) : markerIn(created) === marker)
      return created;
    throw error;
  }
}

/** Items that an error lists. */
const MAX_LISTED = 10;

interface Item {
  id?: string | null;
  /** Display name. */
  name?: string | null | undefined;
}

interface Kind {
  /** Matches the server's message. */
  pattern: RegExp;
  plural: string;
  /** What to do when none exists. */
  whenNone: string;
  list(ctx: Context): Promise<Item[]>;
}

const KINDS: Kind[] = [
  {
    pattern: /integration/i,
    plural: "integrations",
    whenNone: "Connect the git host to this workspace first.",
    list: ({ clients: { sources } }) => sources.listIntegrations(),
  },
  {
    pattern: /listener/i,
    plural: "listeners",
    whenNone: "Install a listener in the cluster first.",
    list: async ({ clients: { sources } }) => {
      const { items } = await collectAvailable(sources.listListeners(), () => true);
      return items.map(({ id, computeId }) => ({ id, name: computeId }));
    },
  },
];

const REJECTED: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** Returns the error of a create with the existing alternatives, which are listed only in this case. */
async function explainRejection(error: unknown, ctx: Context): Promise<unknown> {
  if (!(error instanceof HttpError) || !REJECTED.has(error.status)) return error;
  const kind = KINDS.find(({ pattern }) => pattern.test(error.detail));
  if (!kind) return error;
  const items = await kind.list(ctx).catch(() => undefined);
  if (items === undefined) return error;
  if (items.length === 0) return error.withHint(`This workspace has no ${kind.plural}. ${kind.whenNone}`);
  const lines = items.slice(0, MAX_LISTED).map(({ id, name }) => `  ${id}${name ? `  ${name}` : ""}`);
  const more = items.length > MAX_LISTED ? [`  and ${items.length - MAX_LISTED} more`] : [];
  return error.withHint(
    [`The ${kind.plural} of this workspace:`, ...lines, ...more, "Nothing was created."].join("\n"),
  );
}
