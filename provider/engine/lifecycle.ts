/**
 * Turns a definition into check, diff, create, read, update and delete, which dynamic.ts and plugin/ offer to the
 * engine. check and diff send no request, so that a preview requires neither an API key nor a network. create and
 * update have two phases: the verb records the object as soon as the server has assigned an ID, and then waits until it
 * is live. A failure from then on keeps what was recorded (operations.ts), and the next `pulumi up` continues.
 */
import { isDeepStrictEqual } from "node:util";
import { type Definition, profileOf } from "../definition/definition";
import { ownershipMarker } from "../definition/ownership";
import { validate } from "../plan/check";
import { diffInputs, inputsOf, outputsIn, sentPaths, unsentPaths } from "../plan/diff";
import { factsOfCheck, inputFacts, isMovedFromNative, type RecordedFacts, type ResourceData } from "../plan/facts";
import { referenceAt } from "../plan/impact";
import { type PlannedChange, planChange } from "../plan/plan-change";
import { containsUnknown, markSecrets, serialize } from "../plan/property-values";
import { remainingValues, withAccepted } from "../plan/server-values";
import { secretPaths } from "../schema/fields";
import { valueAt } from "../schema/schema";
import { Announcer } from "./announcer";
import { withErrorBoundary } from "./error-boundary";
import type { CheckedInputs, Difference, Handlers, StoredResource } from "./handlers";
import type { Environment } from "./host/environment";
import { OutgoingText } from "./host/log";
import { computedInputs, duplicateOf, importFailures, nameConflict, uniqueClaim, withKeptName } from "./inputs";
import { importExisting, importedId } from "./objects/import";
import { isUnmanaged, parseId, readObject } from "./objects/read";
import { assertAcceptable } from "./objects/replaceable";
import { Operations, outputsOf, withMarkedSecrets } from "./operations";
import { type ManagedObjects, namedObject, noteMove } from "./run/managed-objects";
import type { PlannedCreate, ReplacedObject } from "./run/replacements";
import type { KindRun, RunState } from "./run/run-state";
import { ProviderSession } from "./session";

export function createHandlers(definition: Definition, environment: Environment): Handlers {
  const outgoing = new OutgoingText(environment.report);
  const handlers = new ResourceLifecycle(definition, { ...environment, report: outgoing });
  return withErrorBoundary(handlers, { definition, outgoing, run: environment.run });
}

class ResourceLifecycle implements Handlers {
  private session: Promise<ProviderSession>;
  private readonly announcer: Announcer;
  private readonly operations: Operations;
  private readonly run: RunState;
  private readonly ofKind: KindRun;
  private readonly objects: ManagedObjects;

  constructor(
    private readonly definition: Definition,
    private readonly environment: Environment & { report: OutgoingText },
  ) {
    this.announcer = new Announcer(definition, environment);
    this.operations = new Operations(definition, environment, () => this.session);
    this.run = environment.run;
    this.ofKind = environment.run.kind(definition.kind);
    this.objects = environment.run.objects;
    this.session = Promise.reject(new Error("The provider was called before it was configured."));
    this.session.catch(() => undefined);
  }

  // The host may call before it has awaited configure: the promise is stored at once, and every call awaits it.
  readonly configure = (config: (key: string) => unknown): Promise<void> => {
    this.session = Promise.resolve().then(() => new ProviderSession(config, this.definition, this.environment));
    this.session.catch(() => undefined);
    return Promise.resolve();
  };

  readonly check = async (olds: ResourceData, news: ResourceData): Promise<CheckedInputs> => {
    this.run.isProgramRunning = true;
    const { properties: declared, facts } = news;
    const { urn = "" } = facts;
    const { report } = this.environment;
    const { properties: previous } = olds;
    const isNew = Object.keys(previous).length === 0;
    const previousName = previous[this.definition.schema.nameInput ?? ""];
    const resource = this.ofKind.resource(facts);
    const { isReplacementCheck, nameInState, found } = resource.checked(facts, olds.facts, previousName);
    // A resource option may replace it, although its diff did not.
    if (isNew) this.objects.release(urn);
    const session = await this.session;
    const inputs = withKeptName(this.definition, declared, facts.defaultName, nameInState);
    const { failures, warnings } = validate(this.definition, inputs, {
      previous,
      settings: session.settings,
      secretInputs: facts.secretInputs,
    });
    failures.push(...nameConflict(this.definition, declared, facts.defaultName));
    if (found || facts.import !== undefined)
      failures.push(...importFailures(this.definition, facts, { isNew, found, objects: this.objects }));
    const claimedBy = failures.length === 0 && this.ofKind.claim(facts, uniqueClaim(this.definition, inputs));
    if (claimedBy) failures.push(duplicateOf(this.definition, inputs, claimedBy));
    const derived = failures.length === 0 ? await computedInputs(this.definition, inputs, failures, this.run) : {};
    resource.hasSameInputs = isDeepStrictEqual(previous, serialize({ ...inputs, ...derived }));
    if (!isReplacementCheck) {
      if (isNew && failures.length === 0) this.announcer.create(facts, inputs);
      this.announcer.warn(facts, warnings);
    }
    for (const text of found?.warnings ?? []) report.show("warn", urn, text);
    this.announcer.settings(facts, session.warnings(inputs));
    await report.flush();
    // Without old inputs, it is created. If the engine deletes it before that, it is replaced.
    if (isNew && failures.length === 0) this.planCreate({ properties: { ...inputs, ...derived }, facts });
    return {
      inputs: {
        properties: serialize({ ...withMarkedSecrets(this.definition, inputs, facts.secretInputs), ...derived }),
        facts: factsOfCheck(facts, olds.facts),
      },
      // They name no property: the engine prints the whole value of a named one, which may be or contain a secret.
      failures: failures.map(({ path, reason }) => ({
        property: "",
        reason: report.clean(urn, `${path} ${reason}`.trimStart()),
      })),
    };
  };

  readonly diff = async (id: string, before: ResourceData, after: ResourceData): Promise<Difference> => {
    const session = await this.session;
    session.assertSameServer(before);
    this.ofKind.managedIds.add(id);
    const resource = this.ofKind.resource(after.facts);
    const { plan, isRequestedByProgram } = await this.compare(before, after);
    resource.diffed(before.facts, plan.replace !== undefined);
    const isPassedOn = plan.replace?.kept !== undefined && isRequestedByProgram;
    noteMove(this.definition, this.objects, { id, before, after, isPassedOn });
    if (isRequestedByProgram && plan.replace) {
      assertAcceptable(this.definition, before.properties, after, session);
      const references = plan.replace.paths.filter((path) => referenceAt(this.definition, path));
      const causes = references.map((path) => valueAt(before.properties, path));
      this.planCreate(after, { object: { id, state: before }, causes });
    }
    if (isRequestedByProgram && !plan.replace)
      this.announcer.serverValues(before.facts.serverValues, before.properties, after);
    if (isRequestedByProgram && plan.changes.length > 0)
      await this.announcer.change(after.facts, before.properties, plan);
    const object = namedObject(this.definition, id, before.properties, after.facts);
    if (resource.isChecked && !plan.replace) this.objects.note({ ...object, how: "kept" });
    else this.objects.release(object.urn);
    return { ...plan, isUnseen: resource.isUnseen };
  };

  readonly plan = async (before: ResourceData, after: ResourceData): Promise<PlannedChange> =>
    (await this.compare(before, after)).plan;

  readonly create = async (desired: ResourceData): Promise<StoredResource> => {
    const { properties: inputs, facts: declared } = desired;
    const continued = this.run.replacements.continuedBy(declared.urn);
    if (continued) return this.change(continued, desired, true);
    const resource = this.ofKind.resource(declared);
    const facts = { ...(resource.routes && { routes: resource.routes }), ...resource.outputFacts(), ...declared };
    return this.operations.perform("create", { inputs, facts }, (ctx, replacedId) => {
      const id = importedId(facts, replacedId);
      return id ? importExisting(this.definition, id, inputs, ctx) : this.definition.create(inputs, ctx);
    });
  };

  readonly read = async (wholeId: string, { properties, facts }: ResourceData) => {
    const resource = this.ofKind.resource(facts);
    resource.isChecked = false;
    const { id, inputs } = isUnmanaged(facts) ? parseId(this.definition, wholeId) : { id: wholeId, inputs: properties };
    const ctx = await this.operations.openContext("update", { properties: inputs, facts });
    const found = await readObject({ definition: this.definition, id, inputs, facts, ctx });
    this.announcer.serverValues(found?.facts.serverValues, inputs, { properties: inputs, facts });
    await this.environment.report.flush();
    if (!found) return undefined;
    if (!isUnmanaged(facts)) this.ofKind.managedIds.add(id);
    const { remote, flags, warnings, problem } = found;
    if (warnings) resource.foundById = { id, warnings, problem };
    const outputs = outputsOf(this.definition, remote, found.facts, await this.session);
    const secrets = secretPaths(this.definition.schema, isUnmanaged(facts) ? undefined : inputs, facts.secretInputs);
    return {
      id,
      outputs: { properties: markSecrets(outputs.properties, secrets), facts: { ...outputs.facts, ...flags } },
      inputs: { properties: serialize(markSecrets(remote.inputs, secrets)), facts: inputFacts(facts) },
    };
  };

  readonly update = async (id: string, before: ResourceData, declared: ResourceData): Promise<ResourceData> =>
    (await this.change({ id, state: before }, declared)).outputs;

  readonly delete = (id: string, state: ResourceData): Promise<void> => this.operations.delete(id, state);

  private async compare(before: ResourceData, after: ResourceData) {
    const { settings } = await this.session;
    const { isChecked, declared } = this.ofKind.resource(after.facts);
    // A refresh has no unknowns. The engine diffs dependents of a replaced resource before it checks them.
    const isRequestedByProgram = isChecked || containsUnknown(after.properties);
    const { serverValues, routes, unconfirmed, unready: isUnfinished = false, secretInputs = [] } = before.facts;
    const plan = planChange(this.definition, before.properties, after.properties, {
      now: this.environment.clock.now(),
      isRequestedByProgram,
      isUnfinished,
      isMovedFromNative: isMovedFromNative(before.facts, after.facts),
      profile: profileOf(routes, settings.profile),
      serverValues,
      unconfirmed,
      secretInputs: [...(declared?.secretInputs ?? []), ...secretInputs],
      replaceOnChanges: declared?.replaceOnChanges,
      ignoreChanges: isRequestedByProgram ? (after.facts.ignoreChanges ?? declared?.ignoreChanges) : [],
      outputChangeOf: this.run.outputChanges.for(after.facts, declared?.sources),
      moveFrom: (from) => this.objects.moves.from(from),
    });
    return { plan, isRequestedByProgram };
  }

  /** @param isRemoved Whether the engine has removed the object from state. */
  private async change({ id, state: before }: ReplacedObject, declared: ResourceData, isRemoved = false) {
    const inputs = declared.properties;
    const { owner, routes, notReturned, chosen, unconfirmed } = before.facts;
    const { serverValues: held, unready: isUnfinished = false } = before.facts;
    const serverValues = held && remainingValues(this.definition, inputs, held);
    const remembered = { owner, routes, notReturned, chosen, serverValues } as RecordedFacts;
    const resource = this.ofKind.resource(declared.facts);
    const ignored = declared.facts.ignoreChanges ?? resource.declared?.ignoreChanges;
    const facts = { ...remembered, ...resource.outputFacts(), ...declared.facts };
    const previous = held ? withAccepted(this.definition, before.properties, inputs, held) : before.properties;
    const { paths: all } = diffInputs(this.definition, previous, inputs, { ignored, unconfirmed });
    const unsent = unsentPaths(this.definition, all, [previous, inputs]);
    const paths = all.filter((path) => !unsent.includes(path));
    const sent = sentPaths(this.definition, paths);
    const operation = { inputs, facts, kept: { id, ...before }, paths: sent, isRemoved };
    return this.operations.perform("update", operation, async (ctx) => {
      await (await this.session).verifyServer(before);
      const isOnlyStored =
        unsent.length > 0 || previous !== before.properties || isMovedFromNative(before.facts, facts);
      if (paths.length === 0 && !isUnfinished && isOnlyStored)
        return { id, inputs, state: outputsIn(this.definition, previous) };
      if (isUnfinished) this.run.trace.describe({ "agentgraph.resumed": true });
      const request = {
        ...{ inputs, previous: inputsOf(this.definition, previous), state: outputsIn(this.definition, previous) },
        ...{ paths, isUnfinished },
      };
      const { urn: earlierUrn, organization = "organization" } = before.facts;
      const earlierMarker = earlierUrn && ownershipMarker(ctx.settings.ownerId ?? organization, earlierUrn);
      const recorded = { ...ctx.recorded, earlierMarker };
      const updated = await this.definition.update(id, request, { ...ctx, recorded });
      return sent.length > 0 ? { ...updated, lacks: [] } : updated;
    });
  }

  /** Notes that a create of a resource follows: what the engine deletes before that is replaced. */
  private planCreate(desired: ResourceData, replaced: Pick<PlannedCreate, "object" | "causes"> = {}): void {
    const { urn } = desired.facts;
    if (urn === undefined) return;
    this.run.replacements.plan(urn, { verify: this.operations.verifyReplacement, desired, ...replaced });
  }
}
