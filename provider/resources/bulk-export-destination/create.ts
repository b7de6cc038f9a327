/**
 * Creates a destination, never twice, or adopts the identical one of the workspace with the input `adoptExisting`: one
 * destination for all stacks, which outlives them. The server keeps a destination while exports refer to it, so without
 * this option no `pulumi up` succeeds after a `pulumi destroy`.
 */
import { inPlaceOfUnsupported } from "../../api/profile/learned-profile";
import type { Destination, ListOptions } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { Observation } from "../../definition/results";
import { CreatesOfRun } from "../../objects/server/lost-response";
import {
  createOnce,
  listAfterCreate,
  listIfSupported,
  toEquivalentError,
  warnOfLeftovers,
} from "../exports/idempotent-create";
import type { Inputs, State } from "./fields";
import { differingFields, toState } from "./mapping";
import { rotateCredentials, throwExplained } from "./requests";

/** @throws OwnershipError when an identical destination exists; UserError when the server rejects the new one. */
export function createDestination(desired: Inputs, ctx: Context): Promise<Observation<Inputs, State>> {
  const description = describe(desired);
  return ctx.scope.get(CreatesOfRun).serialize(description, async () => {
    const existing = await listDestinations(ctx);
    const identical = existing?.filter((other) => isIdentical(other, desired)) ?? [];
    const [first] = identical;
    if (first && desired.adoptExisting) {
      const adopted = await adoptDestination(identical, desired, ctx);
      return { id: adopted.id, inputs: desired, state: toState(adopted, ctx, { adopted: true }) };
    }
    if (first && !desired.allowDuplicate) throw toEquivalentError(description, first.id, ADOPT_REMEDY);
    const created = await createOnce<Destination>(
      {
        description,
        existing,
        send: () => ctx.clients.tracing.createDestination(desired).catch(throwExplained),
        listEquivalent: async () => (await listDestinations(ctx))?.filter((one) => isIdentical(one, desired)) ?? [],
      },
      ctx,
    );
    const { id } = created;
    const observed = { id, inputs: desired, state: toState({}, ctx) };
    ctx.record(observed);
    if (!existing) return observed;
    const listed = desired.allowDuplicate
      ? existing
      : await listAfterCreate(existing, (options) => listDestinations(ctx, options));
    const differences = (other: Destination) => differingFields(other, desired);
    const removal = `DELETE ${ctx.settings.tracingApiUrl?.origin}/api/v1/bulk-exports/destinations/<ID>`;
    await warnOfLeftovers({ noun: "destination", listed, created, differences, removal }, ctx);
    return { ...observed, state: toState(listed.find((other) => other.id === id) ?? {}, ctx) };
  });
}

/** Verifies before a replacement that no destination is identical to the new one but the replaced one. */
export async function beforeReplace(
  id: string,
  { desired }: { desired: Partial<Inputs> },
  ctx: Context,
): Promise<void> {
  const { displayName, config, allowDuplicate, adoptExisting } = desired;
  if (displayName === undefined || config === undefined || allowDuplicate || adoptExisting) return;
  const declared = desired as Inputs;
  const identical = (await listDestinations(ctx))?.find((other) => other.id !== id && isIdentical(other, declared));
  if (identical) throw toEquivalentError(describe(declared), identical.id, ADOPT_REMEDY);
}

const describe = ({ displayName }: Inputs) => `destination "${displayName}"`;

const ADOPT_REMEDY = "To adopt it in this and later runs, set  adoptExisting: true\n";

const isIdentical = (other: Destination, desired: Inputs) => differingFields(other, desired).length === 0;

const listDestinations = (ctx: Context, options?: ListOptions) =>
  listIfSupported(() => ctx.clients.tracing.listDestinations(options), "destinations-list", ctx);

/**
 * Stores the declared credentials in the identical destination. The server tests them first, so a program that cannot
 * write to the bucket changes nothing.
 * @throws OwnershipError when several destinations are identical; UserError when the server rejects the credentials.
 */
async function adoptDestination(
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
  const rotated = await rotateCredentials(id, credentials, {}, ctx).catch(inPlaceOfUnsupported("unsupported" as const));
  if (rotated === undefined)
    throw new OwnershipError(`Destination ${id} was deleted while it was being adopted. Run \`pulumi up\` again.`);
  const note =
    rotated === "unsupported"
      ? "This server cannot change credentials, so it keeps those that it has."
      : "It has the declared credentials now.";
  ctx.log.warn(
    `adoptExisting: destination ${id} ("${displayName}") exists already, and this stack now manages it. ${note} If another stack manages it too, the two share it.`,
  );
  return { ...destination, ...(rotated !== "unsupported" && rotated), id };
}

/** Returns what a destroy says about a destination that it leaves on the server. */
export const formatKept = (label: string, id: string, { settings }: Context): string =>
  `The ${label} stays on the server with its credentials, because of adoptExisting: other stacks may use it, and the next \`pulumi up\` adopts it. To delete it:  DELETE ${settings.tracingApiUrl?.origin}/api/v1/bulk-exports/destinations/${id}`;
