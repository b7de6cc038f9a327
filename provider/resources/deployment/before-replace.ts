/** Verifies before a replacement that what the new deployment names exists, and that its name is free. */

import { collectAvailable } from "../../api/pagination";
import type { Context, ReplaceRequest } from "../../definition/context";
import { inPlaceOf } from "../../http/errors";
import { normalizeUuid } from "../../schema/id";
import { UserError } from "../../text/user-error";
import { findByName } from "./ownership";
import type { State } from "./schema/fields";
import type { Inputs } from "./schema/inputs";
import { assertUploadable } from "./source/upload";

export async function beforeReplace(
  _id: string,
  { desired, previous }: ReplaceRequest<Inputs, State>,
  ctx: Context,
): Promise<void> {
  if (desired.name !== undefined && desired.name !== previous.name) await findByName(desired as Inputs, ctx);
  await assertListener(desired, ctx);
  await assertIntegration(desired, ctx);
  await assertUploadable(desired);
}

/** A server may lack the list, or not show it to this key. */
const unlessRejected = inPlaceOf(({ isRejection, isUnauthorized }) => isRejection || isUnauthorized, undefined);

async function assertListener({ sourceConfig }: Partial<Inputs>, { clients: { sources } }: Context): Promise<void> {
  const { listenerId, listenerConfig } = sourceConfig ?? {};
  if (listenerId === undefined) return;
  const listed = await collectAvailable(sources.listListeners(), () => false).catch(unlessRejected);
  if (!listed) return;
  const listener = listed.items.find(({ id }) => normalizeUuid(id) === normalizeUuid(listenerId));
  if (!listener && !listed.isTruncated)
    throw missing("sourceConfig.listenerId", `listener ${listenerId}`, listed.items, "listeners");
  const namespace = listenerConfig?.k8sNamespace;
  const namespaces = listener?.computeConfig?.k8sNamespaces?.filter((name) => name !== null) ?? [];
  if (namespace === undefined || namespaces.length === 0 || namespaces.includes(namespace)) return;
  throw new UserError(
    `sourceConfig.listenerConfig.k8sNamespace: listener ${listenerId} does not deploy to "${namespace}", only to ${namespaces.join(", ")}.`,
  );
}

async function assertIntegration({ sourceConfig }: Partial<Inputs>, { clients: { sources } }: Context): Promise<void> {
  const id = sourceConfig?.integrationId;
  if (id === undefined) return;
  const items = await sources.listIntegrations().catch(unlessRejected);
  if (!items || items.some((one) => normalizeUuid(one.id) === normalizeUuid(id))) return;
  throw missing("sourceConfig.integrationId", `integration ${id}`, items, "integrations");
}

function missing(path: string, what: string, items: readonly { id?: string | null }[], plural: string): UserError {
  const existing = items.length === 0 ? "It has none." : `Its ${plural}: ${items.map(({ id }) => id).join(", ")}.`;
  return new UserError(`${path}: ${what} does not exist in this workspace. ${existing}`);
}
