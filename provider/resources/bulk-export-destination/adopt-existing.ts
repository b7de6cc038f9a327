/**
 * The input `adoptExisting`: one destination for a workspace, which outlives the stacks that use it. The server keeps a
 * destination while exports refer to it, so without this option no `pulumi up` succeeds after a `pulumi destroy`.
 */
import type { Destination } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { Inputs } from "./fields";
import { rotateCredentials } from "./requests";

/**
 * Stores the declared credentials in the identical destination. The server tests them first, so a program that cannot write
 * to the bucket changes nothing.
 * @throws OwnershipError when several destinations are identical; UserError when the server rejects the credentials.
 */
export async function adoptDestination(
  identical: readonly Destination[],
  { credentials }: Inputs,
  ctx: Context,
): Promise<Destination> {
  const [destination] = identical as [Destination];
  const { id, displayName } = destination;
  if (identical.length > 1) {
    const ids = identical.map((other) => other.id).join(", ");
    throw new OwnershipError(
      `adoptExisting: ${identical.length} destinations are identical (IDs ${ids}). No changes were made. Choose one: add to the resource options  import: "${id}"`,
    );
  }
  const result = await rotateCredentials(id, credentials, {}, ctx);
  if ("gone" in result)
    throw new OwnershipError(`Destination ${id} was deleted while it was being adopted. Run \`pulumi up\` again.`);
  const note =
    "response" in result
      ? "It has the declared credentials now."
      : "This server cannot change credentials, so it keeps those that it has.";
  ctx.log.warn(
    `adoptExisting: destination ${id} ("${displayName}") exists already, and this stack now manages it. ${note} If another stack manages it too, the two share it.`,
  );
  return { ...destination, ...("response" in result && result.response), id };
}

/** Returns what a destroy says about a destination that it leaves on the server. */
export const formatKept = (label: string, id: string, { settings }: Context): string =>
  `The ${label} stays on the server with its credentials, because of adoptExisting: other stacks may use it, and the next \`pulumi up\` adopts it. To delete it:  DELETE ${settings.tracingApiUrl?.origin}/api/v1/bulk-exports/destinations/${id}`;
