/**
 * Reads objects: those in state for a refresh, those that a program references but does not manage (`Deployment.get`),
 * and those of which only the ID is known. The latter is what the engine requests for `pulumi import`, the resource
 * option `import` and `get` of the native provider, and it does not say which.
 */
import { z } from "zod";
import type { Context, Observation } from "../../definition/context";
import type { Definition } from "../../definition/definition";
import { parseUrn } from "../../definition/type-token";
import { HttpError } from "../../http/errors";
import { toDeclaredInputs } from "../../plan/declared-inputs";
import { inputsOf } from "../../plan/diff";
import type { Facts } from "../../plan/facts";
import { keepApplied } from "../../plan/server-values";
import { fieldAt } from "../../schema/fields";
import { InvalidIdError, isUuid, isValidId, quotedId } from "../../schema/id";
import { childOf, type PropertyMap, unwrap, variantFor } from "../../schema/schema";
import { type ContainerInputs, describeContainedId, splitContainedId } from "../../text/container-id";
import { UserError } from "../../text/user-error";
import { importProblem, importWarnings } from "./import";

export interface ObjectRead {
  definition: Definition;
  id: string;
  /** What state contains; of an object that is not in state, the inputs that identify its container. */
  inputs: PropertyMap;
  facts: Facts;
  ctx: Context;
}

export interface FoundObject {
  remote: Observation;
  facts: Facts;
  flags?: Facts;
  /** When it was read by its ID alone: what to warn of when the program imports it, rather than only reads it. */
  warnings?: readonly string[];
  /** The same for why the program must not import it. */
  problem?: string | undefined;
}

/** Whether the properties of a read are not from state: state has a version of its format, imports may lack it. */
export const isUnmanaged = ({ schema, provider, external }: Facts): boolean =>
  schema === undefined && provider === undefined && !external;

/** Whether the program only asks if an object exists (`existsResource`): an error would end the program. */
const isExistenceCheck = ({ urn = "" }: Facts): boolean => parseUrn(urn).name.startsWith("__exists__");

class NotFoundError extends UserError {
  override name = "NotFoundError";
}

/** Returns the object; undefined if one in state is gone. @throws NotFoundError for one that a user named. */
export async function readObject(read: ObjectRead): Promise<FoundObject | undefined> {
  const { definition, id, inputs, facts, ctx } = read;
  if (isExistenceCheck(facts)) return readById(read).catch(inPlaceOfAbsent(read));
  if (isUnmanaged(facts)) return readById(read);
  const { external, unready } = facts;
  const remote = external ? await readExternal(read) : await definition.read(id, declaredIn(read), inputs, ctx);
  if (!remote) return undefined;
  // A refresh clears the engine's record of errors, and with it the reason for the next update to continue.
  const isUnready = remote.unready !== undefined || unready;
  if (remote.unready?.warning !== undefined) ctx.log.warn(remote.unready.warning);
  const flags = { ...(external && { external }), ...(isUnready && { unready: true }) };
  // A response confirms all but what no server returns.
  const isHidden = (path: string) => fieldAt(definition.schema, path, ({ writeOnly }) => writeOnly) !== undefined;
  const { serverValues: _, ...others } = { ...facts, unconfirmed: facts.unconfirmed?.filter(isHidden) };
  if (external) return { remote, facts: others, flags };
  const applied = declaredIn(read);
  const { inputs: keptInputs, serverValues } = keepApplied(definition, applied, remote.inputs, {
    profile: ctx.recorded.profile,
    secretInputs: facts.secretInputs,
  });
  return {
    remote: { ...remote, inputs: keptInputs },
    facts: { ...others, ...(serverValues && { serverValues }) },
    flags,
  };
}

/** Returns the inputs in state, without an ID that the program does not request. */
export function declaredIn({ definition, inputs, facts }: Omit<ObjectRead, "id" | "ctx">): PropertyMap {
  const declared = inputsOf(definition, inputs);
  const idProperty = facts.defaultId ? definition.schema.idProperty : undefined;
  return Object.fromEntries(Object.entries(declared).filter(([key]) => key !== idProperty));
}

/** Returns the ID in state, and the container's inputs. @throws UserError for IDs that would change the route. */
export function parseId({ kind, schema }: Definition, wholeId: string): { id: string; inputs: PropertyMap } {
  const container = schema.container;
  const parts = container ? splitContainedId(wholeId) : { own: wholeId };
  if (!parts) throw new UserError(describeContainedId(wholeId, container as ContainerInputs));
  const { own, id: containerId, url } = parts;
  const invalidId = [own, containerId].find((part) => part !== undefined && !isValidId(part));
  if (invalidId !== undefined)
    throw new UserError(`${quotedId(invalidId)} is not a valid ${kind} ID; copy it from the server.`);
  if (!container) return { id: own, inputs: {} };
  return { id: own, inputs: containerId === undefined ? { [container.url]: url } : { [container.id]: containerId } };
}

/** For `catch`: returns undefined for an object that is not found, or whose ID, no UUID, the server rejects. */
const inPlaceOfAbsent =
  ({ definition, id, inputs }: ObjectRead) =>
  (error: unknown): undefined => {
    const containerId = inputs[definition.schema.container?.id ?? ""];
    const isNoUuid = !isUuid(id) || (containerId !== undefined && !isUuid(containerId));
    const isRejected = error instanceof InvalidIdError || (error instanceof HttpError && error.isInvalid);
    if (error instanceof NotFoundError || (isNoUuid && isRejected)) return undefined;
    throw error;
  };

/** Returns an object with the inputs that a program would declare. @throws NotFoundError when it does not exist. */
async function readById({ definition, id, inputs: container, facts, ctx }: ObjectRead): Promise<FoundObject> {
  const { adopt, kind } = definition;
  const object = await adopt.fetch(id, container, ctx);
  const declared = object && toDeclaredInputs(definition, adopt.toInputs(object, container, ctx.settings));
  // With the workspace of the settings, a definition treats this as a refresh and does not warn about credentials.
  const remote = declared && (await definition.read(id, declared, { tenantId: ctx.settings.tenantId }, ctx));
  if (!remote)
    throw new NotFoundError(
      `${id} was not found. Check the ID, and that the settings point to the right server and workspace.\n` +
        "If the object was deleted and the program imports it, remove the import option to create a new one.",
    );
  const problem = adopt.skip?.(object, { includeEnded: true, includeOwned: true });
  return {
    remote,
    // The marker found is recorded, so that a delete does not mistake it for another owner's.
    facts: remote.marker === undefined ? facts : { ...facts, owner: remote.marker },
    ...(remote.unready && { flags: { unready: true } }),
    problem: importProblem(definition, id, remote, ctx),
    warnings: [
      ...(remote.unready?.warning === undefined ? [] : [`import: ${remote.unready.warning}`]),
      ...(problem === undefined ? [] : [`import: ${kind} ${id}: ${problem}.`]),
      ...importWarnings(definition, remote, ctx),
    ],
  };
}

/**
 * Returns an object with all remote values as inputs; undefined when a refresh is to drop it from state.
 * @throws UserError when the program reads a resource that does not exist: the engine would continue silently.
 */
async function readExternal(read: ObjectRead): Promise<Observation | undefined> {
  const { definition, id, inputs: state, facts, ctx } = read;
  const remote = await definition.read(id, undefined, state, ctx);
  const isInState = facts.schema !== undefined;
  if (!remote && isInState) return undefined;
  if (!remote)
    throw new UserError(
      `${definition.kind} "${parseUrn(ctx.urn).name}" (get): ${id} was not found. Check the ID, and that the ` +
        "settings point to the right server and workspace.",
    );
  const container = definition.schema.container;
  const containerInputs = Object.entries(state).filter(([key]) => key === container?.id || key === container?.url);
  const inputs = { ...Object.fromEntries(containerInputs), ...remote.inputs };
  return { ...remote, inputs: knownFields(variantFor(definition.schema, inputs), inputs) as PropertyMap };
}

/** Returns the fields of a value that the schema contains; null means that a field is absent. */
function knownFields(schema: z.ZodType | undefined, value: unknown): unknown {
  const object = schema && unwrap(schema);
  if (!(object instanceof z.ZodObject) || typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).flatMap(([key, part]) => {
    const field = childOf(object, key);
    return field && part != null ? [[key, knownFields(field, part)]] : [];
  });
  return Object.fromEntries(fields);
}
