/**
 * BulkExportDestination: a bucket that exports write to (API `1C`).
 *
 * create: POST /api/v1/bulk-exports/destinations · read: GET · update: PATCH of credentials only · delete: DELETE, on
 * the newest servers. The server writes a probe object to the bucket before it saves a destination or new credentials.
 *
 * Credentials are sent as a whole, and the API returns only their names. Everything else is immutable, and a
 * replacement restarts every export that writes to the destination.
 */
import { UnsupportedError } from "../api/profile/learned-profile";
import type { Context, RetainedResource } from "../definition/context";
import { type AdoptFacts, defineResource } from "../definition/definition";
import { noArgs } from "../definition/listing";
import { OwnershipError } from "../definition/ownership";
import { HttpError } from "../http/errors";
import { CreatesOfRun } from "../objects/server/lost-response";
import { UNKNOWN_SECRET } from "../schema/mapping";
import { matchesPath, type PropertyMap } from "../schema/schema";
import { type Inputs, inputs, outputs, rules, type State } from "./bulk-export-destination/fields";
import { toInputs, toState, warnOfIgnoredRole, withCredentials } from "./bulk-export-destination/mapping";
import {
  beforeReplace,
  createDestination,
  findDestination,
  formatKept,
  removeDestination,
  rotateCredentials,
} from "./bulk-export-destination/requests";

/** How `agentgraph adopt` converts a destination to inputs as a user would write them, without server defaults. */
const adopt: AdoptFacts = {
  noun: "destination",
  isNamed: true,
  title: ({ displayName, id }) => String(displayName ?? id),
  async fetch(id, _container, ctx) {
    const remote = await findDestination(id, {}, ctx);
    return typeof remote === "string" ? undefined : remote;
  },
  toInputs({ destinationType, displayName, config, credentialsKeys, awsRoleArn }) {
    const { includeBucketInPrefix, prefix, ...others } = (config ?? {}) as PropertyMap;
    // Servers without roles store no destination without an access key.
    const stored = (credentialsKeys ?? []) as readonly string[];
    const names = awsRoleArn == null ? ["access_key_id", "secret_access_key", ...stored] : [...stored];
    return {
      destinationType,
      displayName,
      awsRoleArn,
      // Defaults to true (API `2C.Destination.config:more`).
      config: {
        ...others,
        ...(prefix !== "" && { prefix }),
        ...(includeBucketInPrefix === false && { includeBucketInPrefix }),
      },
      ...withCredentials(names, () => UNKNOWN_SECRET),
    };
  },
};

export const bulkExportDestination = defineResource<Inputs, State>("BulkExportDestination", {
  description:
    "A bucket to which exports are written. The server tests access to the bucket before it saves the " +
    "destination. Only the credentials can be updated in place.",
  server: "tracing",
  schema: { inputs, outputs },
  rules,
  unique: ({ allowDuplicate }) => (allowDuplicate ? undefined : ["displayName", "config"]),
  impact: {
    replacement: "replace",
    loses: null,
    onDelete: "the files in its bucket stay",
    // Credentials are sent as a whole.
    shortPath: (path) => path.replace(/^credentials\..*/, "credentials"),
    onCreate({ inputs: { adoptExisting } }, replacing) {
      if (replacing) return "restarts the exports that write to it";
      return adoptExisting ? "adopts the identical destination of the workspace, if there is one" : undefined;
    },
  },
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  listing: {
    args: noArgs,
    async *pages(_args, { tracing }) {
      yield await tracing.listDestinations();
    },
    detailsOf: ({ destinationType }) => (typeof destinationType === "string" ? [destinationType] : []),
  },
  adopt,
  updatedBy: "destinations-patch",

  async create(desired, ctx) {
    const created = await createDestination(desired, ctx);
    const { id, state } = created;
    if (state.adopted || state.createdAt !== undefined) return created;
    return { ...created, state: await refreshState(id, state, ctx) };
  },

  async read(id, declared, previous, ctx) {
    const remote = await findDestination(id, previous, ctx, declared ? "import" : "get");
    if (remote === "gone") return undefined;
    // Without a route that returns it, only state shows that it exists.
    if (remote === "not returned") return { id, inputs: declared ?? ({} as Inputs), state: toState({}, ctx, previous) };
    const isImported = previous.tenantId === undefined;
    if (declared && isImported) ctx.log.warn(CREDENTIALS_NOT_COMPARED);
    return {
      id,
      inputs: toInputs(remote, declared, isImported),
      state: toState(remote, ctx, { adopted: previous.adopted }),
    };
  },

  async update(id, { inputs: desired, state, paths }, ctx) {
    const known = { id, inputs: desired, state: toState({}, ctx, state) };
    if (!includesCredentials(paths)) {
      if (paths.length > 0) return known;
      // Without a changed path, an earlier attempt is resumed whose read after the create failed.
      ctx.record(known);
      return { ...known, state: await refreshState(id, state, ctx) };
    }
    const rotated = await rotateCredentials(id, desired, state, ctx);
    if (!rotated)
      throw new OwnershipError(
        `Destination ${id} no longer exists on the server, so it cannot be changed. Run \`pulumi up ` +
          "--refresh` to create it again.",
      );
    warnOfIgnoredRole(rotated, desired, ctx);
    // Only a read shows that the server returns destinations, so a rotation adds no time of creation.
    return { ...known, state: { ...toState(rotated, ctx, state), createdAt: state.createdAt } };
  },

  beforeReplace,

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const label = `destination ${id} ("${previous.displayName}")`;
    if (previous.adoptExisting || previous.adopted) return { info: formatKept(label, id, ctx) };
    const retained = "It was removed from this stack's state only, and the server still stores its credentials.";
    try {
      await removeDestination(id, previous, ctx);
      return undefined;
    } catch (error) {
      const isUnsupported = error instanceof UnsupportedError;
      const isInUse = error instanceof HttpError && IN_USE_STATUSES.has(error.status ?? 0);
      if (!isUnsupported && !isInUse) throw error;
      ctx.scope.get(CreatesOfRun).leftIds.add(id);
      if (isUnsupported)
        return {
          warning:
            `The server does not support deletion of ${label}. ${retained} Delete it or revoke its access key ` +
            "manually.",
        };
      return {
        warning:
          `The ${label} was not deleted because exports still use it. ${retained} ` + `Server message: ${error.quote}`,
      };
    }
  },
});

const CREDENTIALS_NOT_COMPARED =
  "credentials: the API never returns credentials, so they could not be verified. Rotate them once to be certain.";

/** Statuses of a delete that the server rejects while exports use the destination (API `10C.destination-in-use`). */
const IN_USE_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

const includesCredentials = (paths: readonly string[]) =>
  paths.some((path) => matchesPath(path, "credentials") || path === "awsRoleArn");

/** Returns the state after a read. Right after a create, `gone` only means that the server cannot show destinations. */
async function refreshState(id: string, previous: Partial<State>, ctx: Context): Promise<State> {
  const remote = await findDestination(id, previous, ctx);
  return toState(typeof remote === "string" ? {} : remote, ctx, previous);
}
