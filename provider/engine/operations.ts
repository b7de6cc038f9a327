/** Runs the verbs of a definition: opens their context, and builds what the engine stores of their results. */
import { UnsupportedError } from "../api/profile/learned-profile";
import type { Context, Observation } from "../definition/context";
import type { Definition } from "../definition/definition";
import { CanceledError } from "../http/clock";
import { HttpError } from "../http/errors";
import { diffInputs } from "../plan/diff";
import { type Facts, joinFacts, omitFacts, type ResourceData, SCHEMA } from "../plan/facts";
import { encodedBytes, InitError, keepSecrets, markSecrets, omitUnknowns, serialize } from "../plan/property-values";
import { replaceHint } from "../plan/server-values";
import { fieldAt, secretPaths } from "../schema/fields";
import { isEmpty } from "../schema/mapping";
import { isPropertyMap, type PropertyMap } from "../schema/schema";
import { messageOf, UserError } from "../text/user-error";
import type { StoredResource } from "./handlers";
import type { Environment } from "./host/environment";
import type { OutgoingText } from "./host/log";
import { isContinued } from "./objects/continued";
import { declaredIn } from "./objects/read";
import { afterDelete, assertReplaceable } from "./objects/replaceable";
import { namedObject } from "./run/managed-objects";
import type { ReplacedObject } from "./run/replacements";
import type { Operation, ProviderSession } from "./session";

/** A failure has its state in a header. One of 16 MiB makes the engine close the connection, and with it all calls. */
const MAX_ERROR_BYTES = 8 * 1024 * 1024;
const TOO_LARGE =
  "The resource is stored as created, because its state is too large for an error. Run `pulumi up` again to continue.";

interface Performed {
  inputs: PropertyMap;
  facts: Facts;
  /** In an update: the object in state, which stays as it is where its server cannot change it. */
  kept?: ResourceData & { id: string };
  /** The inputs that the update sends. */
  paths?: readonly string[];
  /** Whether the engine has removed that from state, so that every failure must keep it. */
  isRemoved?: boolean;
}

export class Operations {
  constructor(
    private readonly definition: Definition,
    private readonly environment: Environment & { report: OutgoingText },
    private readonly session: () => Promise<ProviderSession>,
  ) {}

  /** Returns what to store of a create or update: the result, or after a failure what it recorded, to keep an ID. */
  async perform(
    operation: "create" | "update",
    { inputs, facts, kept, paths = [], isRemoved = false }: Performed,
    act: (ctx: Context, replacedId: string | undefined) => Promise<Observation>,
  ): Promise<StoredResource> {
    const { run, report } = this.environment;
    const session = await this.session();
    const replacedId = operation === "create" ? run.replacements.deletedBy(facts.urn) : undefined;
    let observed = undefined as Observation | undefined;
    let known = facts;
    const record = (observation: Observation) => {
      const { marker, lacks } = observation;
      observed = observation;
      known = { ...known, ...(marker !== undefined && { owner: marker }), ...(lacks && { routes: lacks }) };
      if (operation === "update") return;
      run.objects.noteCreated(namedObject(this.definition, observation.id, inputs, facts));
      // An entry of the same ID, whose content moved to this object, may be deleted after it.
      run.kind(this.definition.kind).managedIds.add(observation.id);
    };
    const store = (observation: Observation, isUnready: boolean): StoredResource => {
      const outputs = keepSecrets(
        this.definition,
        outputsOf(this.definition, observation, known, session),
        inputs,
        kept,
      );
      const stored = isUnready ? { ...outputs, facts: { ...outputs.facts, unready: true } } : outputs;
      return { id: observation.id, outputs: stored };
    };
    const recordKept = ({ id, properties: state, facts }: ResourceData & { id: string }) =>
      record({ id, inputs: declaredIn({ definition: this.definition, inputs: state, facts }), state });
    // From now on, diff knows what the server may have, also if the program is reverted before the next update.
    const noteUnconfirmed = (state: ResourceData & { id: string }) => {
      if (!observed) recordKept(state);
      const { inputs: held, ...rest } = observed as Observation;
      const { paths: unapplied } = diffInputs(this.definition, held, inputs);
      const isOpen = (path: string) => unapplied.includes(path) || state.facts.unconfirmed?.includes(path);
      known = { ...known, unconfirmed: paths.filter(isOpen) };
      const merged = withSent(this.definition, held, inputs);
      record({ ...rest, inputs: merged, state: { ...rest.state, ...merged } });
    };
    // The object in state is as it was, and from now on diff knows why.
    const unsupported = ({ feature, message }: UnsupportedError) => {
      if (kept) recordKept(kept);
      known = { ...known, routes: [...new Set([...(known.routes ?? []), feature])] };
      const hint = replaceHint(this.definition, facts.urn ?? "");
      return new UserError(`${message}${kept ? " No changes were made." : ""}\n${hint}`);
    };
    try {
      if (kept && isRemoved) recordKept(kept);
      const ctx = await this.openContext(operation, { properties: inputs, facts }, false);
      const done = await act({ ...ctx, record }, replacedId);
      record(done);
      return store(done, done.unready !== undefined);
    } catch (error) {
      const isUnknown = kept !== undefined && mayHaveActed(error, observed !== undefined);
      const explained = this.isUnsupported(error) ? unsupported(error) : isUnknown ? withNextStep(error) : error;
      if (isUnknown) noteUnconfirmed(kept);
      const partial = observed && store(observed, true);
      const isTooLarge = partial !== undefined && encodedBytes(joinFacts(partial.outputs)) > MAX_ERROR_BYTES;
      if (isTooLarge && (operation === "create" || isRemoved)) {
        report.show("warn", facts.urn ?? "", `${messageOf(explained)}\n${TOO_LARGE}`);
        return partial;
      }
      // After an update, state stays as it was, and the next one continues from there.
      const stored = isTooLarge ? undefined : partial;
      const failure = stored ? new InitError(stored.id, stored.outputs, messageOf(explained), explained) : explained;
      throw replacedId === undefined ? failure : afterDelete(failure, this.definition, replacedId);
    } finally {
      await report.flush();
    }
  }

  /** Deletes an object, unless it must stay. */
  async delete(id: string, state: ResourceData): Promise<void> {
    const { properties: inputs, facts } = state;
    // The engine only drops external resources from state. Should it ever delete one, nothing is deleted remotely.
    if (facts.external) return;
    const { run, report } = this.environment;
    const kept = run.objects.reasonToKeep(namedObject(this.definition, id, inputs, facts));
    if (kept !== undefined) {
      report.show("warn", facts.urn ?? "", kept);
      return report.flush();
    }
    if (isContinued(this.definition, { id, state }, await this.session(), this.environment))
      return run.replacements.continueWith({ id, state });
    const ctx = await this.openContext("delete", state);
    // Without a diff before it, for `--replace` and `pulumi state taint`.
    if (facts.routes) run.kind(this.definition.kind).resource(facts).routes = facts.routes;
    const retained = await run.replacements.during({ id, state }, () => this.definition.delete(id, inputs, ctx));
    if (retained && "warning" in retained) ctx.log.warn(retained.warning);
    else if (retained) report.show("info", ctx.urn, retained.info);
    await report.flush();
  }

  private isUnsupported(error: unknown): error is UnsupportedError {
    return error instanceof UnsupportedError && error.feature === this.definition.updatedBy;
  }

  /** Verifies that an object can be replaced. @throws UserError or HttpError with why not, and nothing was deleted. */
  readonly verifyReplacement = async (object: ReplacedObject, desired: ResourceData): Promise<void> => {
    const ctx = await this.openContext("create", { ...desired, properties: omitUnknowns(desired.properties) }, false);
    await assertReplaceable({ definition: this.definition, object, desired, session: await this.session(), ctx });
  };

  async openContext(operation: Operation, resource: ResourceData, verifyServer = true): Promise<Context> {
    const { run } = this.environment;
    const session = await this.session();
    if (verifyServer) await session.verifyServer(resource);
    return {
      ...session.context(operation, resource),
      noteExisting: (id, how) => {
        run.objects.noteExisting({ ...namedObject(this.definition, id, resource.properties, resource.facts), how });
        run.trace.describe({ [`agentgraph.${how}`]: true });
      },
    };
  }
}

/** Whether the server may have applied a change that failed. @param isRecorded Whether something is known of it. */
const mayHaveActed = (error: unknown, isRecorded: boolean): boolean =>
  (isRecorded && error instanceof CanceledError) ||
  (error instanceof HttpError && error.outcomeUnknown && error.method !== "GET" && !error.path.endsWith("/search"));

const withNextStep = (error: unknown): unknown =>
  error instanceof HttpError && error.hint === undefined
    ? error.withHint("The server may have made the change. Run `pulumi up` again: it sends what the server lacks.")
    : error;

/** Returns the inputs in state, and what was sent beside them: else nothing would remove it from the server again. */
function withSent({ schema }: Definition, held: PropertyMap, sent: PropertyMap): PropertyMap {
  const added = Object.entries(sent).map(([key, value]) => {
    const known = held[key];
    // Nothing removes the first two, and what makes revisions is compared with the server anyway.
    if (fieldAt(schema, key, (field) => field.open || field.replacesIfRemoved || field.effect === "newRevision"))
      return [key, known];
    return [key, isPropertyMap(known) && isPropertyMap(value) ? { ...value, ...known } : (known ?? value)];
  });
  return { ...held, ...Object.fromEntries(added) };
}

/** @param marked What else is secret: only what contains it is marked here. */
export const withMarkedSecrets = ({ schema }: Definition, properties: PropertyMap, marked?: readonly string[]) =>
  markSecrets(properties, secretPaths(schema, properties, marked));

/** Returns the outputs to store in state: inputs and outputs with marked secrets, and facts about the object. */
export function outputsOf(
  definition: Definition,
  { id, inputs, state, notReturned, chosen }: Observation,
  known: Facts,
  session: ProviderSession,
): ResourceData {
  const kept = omitFacts(known, ["import", "external", "unready", "defaultId"]);
  const { routes = [], customTimeouts, unconfirmed = [], chosen: earlier = {}, ...facts } = kept;
  const isCustom = (["create", "update", "delete"] as const).some(
    (operation) => customTimeouts?.[operation] !== facts.timeouts?.[operation],
  );
  const idProperty = definition.schema.idProperty;
  const isDefaultId = idProperty !== undefined && inputs[idProperty] == null;
  const all = { ...inputs, ...state, ...(isDefaultId && { [idProperty]: id }) };
  return {
    properties: serialize(withMarkedSecrets(definition, all, facts.secretInputs)),
    facts: {
      ...facts,
      ...(routes.length > 0 && { routes }),
      ...(unconfirmed.length > 0 && { unconfirmed }),
      // Those in the inputs are not stored twice.
      ...(customTimeouts && isCustom && { customTimeouts }),
      ...(notReturned && { notReturned }),
      ...(!isEmpty(chosen ?? earlier) && { chosen: chosen ?? earlier }),
      ...(isDefaultId && { defaultId: true }),
      schema: SCHEMA,
      server: session.server(all),
    },
  };
}
