/** Adds to the rejection of a create which integrations or listeners exist. */
import { collectAvailable } from "../../../api/pagination";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";

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
export async function explainRejection(error: unknown, ctx: Context): Promise<unknown> {
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
