/**
 * The requests about destinations. Only the create is a guaranteed route: it happens once, or adopts the identical one
 * with `adoptExisting`, for all stacks. The server keeps a destination while exports refer to it, so without this
 * option no `pulumi up` succeeds after a `pulumi destroy`.
 */
import { inPlaceOfUnsupported } from "../../api/profile/learned-profile";
import type { Destination, ListOptions } from "../../api/tracing/client";
import type { Context, Observation } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";
import { CreatesOfRun } from "../../objects/server/lost-response";
import { isSameId } from "../../schema/id";
import { UserError } from "../../text/user-error";
import {
  assertSameId,
  assertWorkspaceResponds,
  createOnce,
  listAfterCreate,
  listIfSupported,
  toEquivalentError,
  UNKNOWN_EFFECT,
  warnOfLeftovers,
} from "../exports/idempotent-create";
import type { Inputs, State } from "./fields";
import { differingFields, toState, warnOfIgnoredRole } from "./mapping";

/**
 * Reads a destination by ID, or else from the list. When the server has neither route, a destination that was returned
 * before counts as deleted once the workspace responds; one that was never returned counts as existing.
 */
export async function findDestination(
  id: string,
  previous: Partial<State>,
  ctx: Context,
  operation: "import" | "get" = "import",
): Promise<Destination | "gone" | "not returned"> {
  const { tracing } = ctx.clients;
  const { destination, isListed, rejection } = await tracing.showDestination(id);
  if (destination) return assertSameId(destination, id);
  const wasReturned = previous.createdAt !== undefined;
  // Nothing depends on why neither route returns it: it stays in state.
  if (!isListed && previous.tenantId !== undefined && !wasReturned) return "not returned";
  const found = await tracing.findDestinationAgain(id);
  if (found) return assertSameId(found, id);
  if (isListed) return "gone";
  if (previous.tenantId === undefined) throw toUnshownError(operation, id, rejection);
  await assertWorkspaceResponds(ctx);
  return "gone";
}

/** Stores other credentials in a destination; undefined when it is gone. @throws UnsupportedError */
export const rotateCredentials = (
  id: string,
  { credentials, awsRoleArn }: Pick<Inputs, "credentials" | "awsRoleArn">,
  previous: Partial<State>,
  ctx: Context,
): Promise<Destination | undefined> =>
  ctx.clients.tracing.profile
    .send("destinations-patch", {
      send: async () =>
        assertSameId(await ctx.clients.tracing.rotateCredentials(id, { credentials, awsRoleArn }), id, UNKNOWN_EFFECT),
      exists: createExistenceCheck(id, previous, ctx),
    })
    .catch(throwExplained);

/** @throws UnsupportedError when the server cannot delete destinations. */
export const removeDestination = (id: string, previous: Partial<State>, ctx: Context): Promise<void> =>
  ctx.clients.tracing.profile.remove("destinations-delete", {
    send: () => ctx.clients.tracing.deleteDestination(id),
    exists: createExistenceCheck(id, previous, ctx),
  });

const createExistenceCheck = (id: string, previous: Partial<State>, ctx: Context) => async () =>
  (await findDestination(id, previous, ctx)) !== "gone";

const toUnshownError = (operation: "import" | "get", id: string, { shortCode = "404" }: Partial<HttpError> = {}) =>
  new OwnershipError(
    `${operation}: this server cannot show destination ${id} (${shortCode}) and has no list of destinations` +
      (operation === "get"
        ? ". Write its ID and settings in the program instead."
        : ", so it cannot be compared with the program. No changes were made. Remove the import option to create a " +
          "new one."),
  );

/** Permissions of the access key: the server writes and deletes a probe, and exports use multipart uploads. */
const REQUIRED_ACTIONS = "s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket";

/** Message pattern -> the property and the remedy; the first match is used (API `7:destinations.detail`). */
const CAUSES: [words: RegExp, property: string, remedy: string][] = [
  [
    /signature/i,
    "credentials.secretAccessKey",
    "The store recognizes the access key ID, but the secret does not match it. Use the secret that belongs to " +
      "accessKeyId.",
  ],
  [
    /token/i,
    "credentials.sessionToken",
    "Temporary credentials expire, and their three parts belong together. Use new ones, or a permanent access " +
      "key without sessionToken.",
  ],
  [
    /access ?key|key id/i,
    "credentials.accessKeyId",
    "The store does not recognize this access key. Use the ID of an active key of the store in config.",
  ],
  [
    /endpoint|connect|resolve|unreachable|timed? ?out|ENOTFOUND|ECONNREFUSED/i,
    "config.endpointUrl",
    "Use a URL of the store that the server can reach, with https:// and without the bucket. Omit it for the " +
      "cloud object store.",
  ],
  [/region|redirect|AuthorizationHeaderMalformed/i, "config.region", "Use the region of the bucket."],
  [
    /denied|forbidden|not authori[sz]ed/i,
    "credentials",
    `The access key has no write access to the bucket below the prefix. It needs ${REQUIRED_ACTIONS}.`,
  ],
  [
    /bucket\b.*(valid|exist)|NoSuchBucket|InvalidBucket/i,
    "config.bucketName",
    "Use the name of a bucket that exists in this store, 3 to 63 characters, without s3:// or a path. Create " +
      "the bucket first if needed.",
  ],
];

/** How the server's rejection begins (API `7:destinations.detail`). */
const REJECTION_PREFIX = "Failed to validate S3 destination:";

const OTHER_CAUSE: (typeof CAUSES)[number] = [
  /./,
  "config",
  `Check that the bucket exists in this store and that the access key has ${REQUIRED_ACTIONS} below the prefix.`,
];

/** @throws UserError with the property and the fix when the destination was rejected; otherwise the given error. */
function throwExplained(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 400) throw error;
  const cause = CAUSES.find(([pattern]) => pattern.test(storeMessage(error.detail)));
  if (!cause && !error.detail.startsWith(REJECTION_PREFIX)) throw error;
  const [, property, remedy] = cause ?? OTHER_CAUSE;
  throw new UserError(`${property}: ${error.quote}\n${remedy}\nNo changes were made.`);
}

const storeMessage = (detail: string) => detail.replace(REJECTION_PREFIX, "").replace(/https?:\/\/\S+/g, "");

/** @throws OwnershipError when an identical destination exists; UserError when the server rejects the new one. */
export function createDestination(desired: Inputs, ctx: Context): Promise<Observation<Inputs, State>> {
  const description = describe(desired);
  return ctx.scope.get(CreatesOfRun).serialize(description, async () => {
    const existing = await listDestinations(ctx);
    const identical = existing?.filter((other) => isIdentical(other, desired)) ?? [];
    const first = identical.find(({ id }) => !ctx.scope.get(CreatesOfRun).leftIds.has(id));
    if (identical.length > 0 && desired.adoptExisting) {
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
    warnOfIgnoredRole(created, desired, ctx);
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
  const isOther = (other: Destination) => !isSameId(other.id, id) && isIdentical(other, declared);
  const identical = (await listDestinations(ctx))?.find(isOther);
  if (identical) throw toEquivalentError(describe(declared), identical.id, ADOPT_REMEDY);
}

const describe = ({ displayName }: Inputs) => `destination "${displayName}"`;

const ADOPT_REMEDY = "To adopt it in this and later runs, set  adoptExisting: true\n";

const isIdentical = (other: Destination, desired: Inputs) => differingFields(other, desired).length === 0;

const listDestinations = (ctx: Context, options?: ListOptions) =>
  listIfSupported(() => ctx.clients.tracing.listDestinations(options), "destinations-list", ctx);

/**
 * Stores the declared credentials, which the server tests first: those that cannot write to the bucket change nothing.
 * @throws OwnershipError for several identical ones; UserError when the server rejects the credentials.
 */
async function adoptDestination(
  identical: readonly Destination[],
  desired: Inputs,
  ctx: Context,
): Promise<Destination> {
  const [destination] = identical as [Destination];
  const { id, displayName } = destination;
  if (identical.length > 1) {
    const ids = identical.map((other) => other.id).join(", ");
    throw new OwnershipError(
      `adoptExisting: ${identical.length} destinations are identical (IDs ${ids}). No changes were made. ` +
        `Choose one: add to the resource options  import: "${id}"`,
    );
  }
  const isDeclared = desired.credentials !== undefined || desired.awsRoleArn !== undefined;
  // Without either, the request could remove what another stack stored.
  const rotated = isDeclared
    ? await rotateCredentials(id, desired, {}, ctx).catch(inPlaceOfUnsupported("kept" as const))
    : "kept";
  if (rotated === undefined)
    throw new OwnershipError(`Destination ${id} was deleted while it was being adopted. Run \`pulumi up\` again.`);
  const why = isDeclared ? ", which this server cannot change" : "";
  const note = rotated === "kept" ? `It keeps its credentials${why}.` : "It has the declared credentials now.";
  ctx.log.warn(
    `adoptExisting: destination ${id} ("${displayName}") exists already, and this stack now manages it. ` +
      `${note} If another stack manages it too, the two share it.`,
  );
  return { ...destination, ...(rotated !== "kept" && rotated), id };
}

/** Returns what a destroy says about a destination that it leaves on the server. */
export const formatKept = (label: string, id: string, { settings }: Context): string =>
  `The ${label} stays on the server with its credentials, because of adoptExisting: other stacks may use it, ` +
  "and the next `pulumi up` adopts it. To delete it:  DELETE " +
  `${settings.tracingApiUrl?.origin}/api/v1/bulk-exports/destinations/${id}`;
