/** What a deployment refers to in its workspace: verified before a replacement, listed when a create is rejected. */
import { collectAvailable } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { type HttpError, inPlaceOf } from "../../http/errors";
import { normalizeUuid } from "../../schema/id";
import { UserError } from "../../text/user-error";
import type { Inputs } from "./schema/inputs";

interface Item {
  id?: string | null;
  name?: string | null | undefined;
  computeConfig?: { k8sNamespaces?: (string | null)[] | null } | null;
}

interface Reference {
  /** The input in sourceConfig. */
  field: "integrationId" | "listenerId";
  noun: string;
  whenNone: string;
  list(
    clients: Context["clients"],
    isEnough: (items: readonly Item[]) => boolean,
  ): Promise<{ items: readonly Item[]; isTruncated: boolean }>;
}

const REFERENCES: readonly Reference[] = [
  {
    field: "integrationId",
    noun: "integration",
    whenNone: "Connect the git host to this workspace first.",
    list: async ({ sources }) => ({ items: await sources.listIntegrations(), isTruncated: false }),
  },
  {
    field: "listenerId",
    noun: "listener",
    whenNone: "Install a listener in the cluster first.",
    list: async ({ sources }, isEnough) => {
      const { items, isTruncated } = await collectAvailable(sources.listListeners(), isEnough);
      return { items: items.map((listener) => ({ ...listener, name: listener.computeId })), isTruncated };
    },
  },
];

/** A server may lack the list, or not show it to this key. */
const unlessRejected = inPlaceOf(({ isRejection, isUnauthorized }) => isRejection || isUnauthorized, undefined);

/** @throws UserError when the server certainly lacks what the inputs refer to. */
export async function assertReferences({ sourceConfig }: Partial<Inputs>, { clients }: Context): Promise<void> {
  for (const { field, noun, list } of REFERENCES) {
    const id = sourceConfig?.[field];
    const find = (all: readonly Item[]) => all.find((item) => normalizeUuid(item.id) === normalizeUuid(id));
    const isFound = (all: readonly Item[]) => find(all) !== undefined;
    const listed = id === undefined ? undefined : await list(clients, isFound).catch(unlessRejected);
    if (!listed) continue;
    const { items, isTruncated } = listed;
    const found = find(items);
    if (!found && !isTruncated) {
      const existing =
        items.length === 0
          ? "It has none: check tenantId."
          : `Its ${noun}s: ${items.map((item) => item.id).join(", ")}. Use one of them, or check tenantId.`;
      throw new UserError(`sourceConfig.${field}: ${noun} ${id} does not exist in this workspace. ${existing}`);
    }
    const namespace = sourceConfig?.listenerConfig?.k8sNamespace;
    const namespaces = found?.computeConfig?.k8sNamespaces?.filter((name) => name !== null) ?? [];
    if (namespace === undefined || namespaces.length === 0 || namespaces.includes(namespace)) continue;
    throw new UserError(
      `sourceConfig.listenerConfig.k8sNamespace: listener ${id} does not deploy to "${namespace}", only ` +
        `to ${namespaces.join(", ")}. Use one of these.`,
    );
  }
}

const MAX_LISTED = 10;

/** Returns the error of a rejected create with the existing alternatives, which are listed only in this case. */
export async function withAlternatives(error: HttpError, { clients }: Context): Promise<HttpError> {
  const reference = REFERENCES.find(({ noun }) => error.detail.toLowerCase().includes(noun));
  const listed = await reference?.list(clients, () => true).catch(() => undefined);
  if (!reference || !listed) return error;
  const { noun, whenNone } = reference;
  const { items } = listed;
  if (items.length === 0) return error.withHint(`This workspace has no ${noun}s. ${whenNone}`);
  const lines = items.slice(0, MAX_LISTED).map(({ id, name }) => `  ${id}${name ? `  ${name}` : ""}`);
  const more = items.length > MAX_LISTED ? [`  and ${items.length - MAX_LISTED} more`] : [];
  return error.withHint([`The ${noun}s of this workspace:`, ...lines, ...more, "Nothing was created."].join("\n"));
}
