/** Items of a list of deployments that have a field in a form that is not known. */
import { z } from "zod";
import { HttpError } from "../../http/errors";
import { remoteId } from "../../schema/id";
import type { Deployment } from "./schemas";

/** What identifies an item of a list, whatever form its other fields have. */
const item = z.looseObject({
  id: remoteId,
  name: z.string().catch(""),
  status: z.string().catch("UNKNOWN"),
  tenant_id: z.string().optional().catch(undefined),
});

/** Reads an item of a list. One that cannot be decoded leaves the others usable. @throws HttpError if it has no ID. */
export function readItem(json: unknown, read: () => Deployment): Deployment {
  try {
    return read();
  } catch (error) {
    const { data } = item.safeParse(json);
    if (!data || !(error instanceof HttpError)) throw error;
    const { id, name, status, tenant_id: tenantId = null } = data;
    const about = `It is about the deployment with ID ${id}${name && ` (${name})`}: a newer version may know its form.`;
    return { id, name, status, tenantId, unreadable: error.explainedBy(about) };
  }
}

type Matches = (deployment: Deployment) => boolean;

/** @param mayBe Which unreadable ones may be meant. @throws Error of one that is, or may be if nothing else is. */
export async function findReadable(
  search: (matches: Matches) => Promise<Deployment | undefined>,
  matches: Matches,
  mayBe: Matches = matches,
): Promise<Deployment | undefined> {
  let unread: Error | undefined;
  const found = await search((one) => {
    if (mayBe(one)) unread ??= one.unreadable;
    return matches(one);
  });
  const error = found ? found.unreadable : unread;
  if (error) throw error;
  return found;
}
