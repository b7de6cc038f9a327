/**
 * Turns a definition into check, diff, create, read, update and delete. dynamic.ts and plugin/ offer them to the engine.
 *
 * check and diff are pure: they send no request, so that a preview requires neither an API key nor a network. plan/
 * computes the differences, and announcer.ts shows them on the resource's row.
 *
 * create and update have two phases. The definition's verb returns as soon as the server has assigned an ID, which must
 * never be lost from then on. Then `ready` waits until the object is live. A failure in this phase is thrown as an error
 * with the ID and the remote state (state.ts), so that the next `pulumi up` continues.
 */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import { validate } from "../plan/check";
import { diffInputs } from "../plan/diff";
import {
  computedInputs,
  duplicateOf,
  importProblems,
  toEngineFailure,
  uniqueClaim,
  withKeptName,
} from "../plan/inputs";
import { type PlannedChange, planChange } from "../plan/plan-change";
import {
  containsUnknown,
  type InternalProperties,
  inputKeys,
  rememberedKeys,
  serialize,
  splitInternal,
} from "../plan/property-values";
import type { PropertyMap } from "../schema/schema";
import { Announcer } from "./announcer";
import type { Environment } from "./environment";
import { withErrorBoundary } from "./error-boundary";
import { importExisting, resumeInterrupted } from "./import";
import { OutgoingText } from "./outgoing-text";
import { internalInputs, internalOutputs, PlanMemory } from "./plan-memory";
import { isUnmanaged, parseId, readObject } from "./read";
import { keptObject } from "./replacement";
import { RouteMemory } from "./route-memory";
import { type Operation, ProviderSession } from "./session";
import { awaitReady, outputsOf, withMarkedSecrets } from "./state";

export interface Difference extends PlannedChange {
  /** Whether `pulumi import --file` created the state. */
  isImportedWithoutInputs: boolean;
}

/** The handlers of one kind of resource, for every host: that of dynamic resources, and the native plugin. */
export type Handlers = Pick<
  ResourceLifecycle,
  "configure" | "check" | "diff" | "create" | "read" | "update" | "delete"
>;

export function createHandlers(definition: Definition, environment: Environment): Handlers {
  const outgoing = new OutgoingText(environment.report);
  const handlers = new ResourceLifecycle(definition, { ...environment, report: outgoing });
  return withErrorBoundary(handlers, { definition, outgoing, memory: environment.memory });
}

class ResourceLifecycle {
  private session: Promise<ProviderSession>;
  private readonly announcer: Announcer;
  private readonly memory = new PlanMemory();
  private readonly routes = new RouteMemory();

  constructor(
    private readonly definition: Definition,
    private readonly environment: Environment & { report: OutgoingText },
  ) {
    this.announcer = new Announcer(definition, environment);
    this.session = Promise.reject(new Error("The provider was called before it was configured."));
    this.session.catch(() => undefined);
  }

  // The host uses this object before it has awaited configure, so other calls may come first: the promise is stored at
  // once, and every call awaits it.
  readonly configure = (request: dynamic.ConfigureRequest): Promise<void> => {
    const { clock, report } = this.environment;
    const { server } = this.definition;
    this.session = Promise.resolve().then(
      () => new ProviderSession((key) => request.config.get(key), server, clock, report),
    );
    this.session.catch(() => undefined);
    return Promise.resolve();
  };

  readonly check = async (olds: PropertyMap, news: PropertyMap): Promise<dynamic.CheckResult> => {
    const { properties: declared, internal: newInternal } = splitInternal(news);
    const { __defaultName: defaultName, ...internal } = newInternal;
    const { properties: previous, internal: before } = splitInternal(olds ?? {});
    const isReplacementCheck = this.memory.noteCheck(internal, before, Object.keys(previous).length === 0);
    const session = await this.session;
    const inputs = withKeptName(this.definition, declared, defaultName, this.previousName(previous, internal));
    const { failures, warnings } = validate(this.definition, inputs, previous, containsUnknown, session.settings);
    failures.push(...importProblems(this.definition, internal));
    const claimedBy = failures.length === 0 && this.memory.claim(internal, uniqueClaim(this.definition, inputs));
    if (claimedBy) failures.push(duplicateOf(this.definition, inputs, claimedBy));
    const derived = failures.length === 0 ? await computedInputs(this.definition, inputs, failures) : {};
    if (!isReplacementCheck) {
      if (Object.keys(previous).length === 0 && failures.length === 0) this.announcer.create(internal, inputs);
      this.announcer.warn(internal, warnings);
    }
    for (const text of this.memory.takeImportWarnings(internal))
      this.environment.report.warn(internal.__urn ?? "", text);
    this.announcer.settings(internal, session.warnings(this.definition, internal, this.endpointOf(inputs)));
    await this.environment.report.flush();
    return {
      inputs: serialize({
        ...withMarkedSecrets(this.definition, inputs),
        ...derived,
        ...internalInputs(internal, before),
      }),
      failures: failures.map((failure) => toEngineFailure(this.definition, failure, inputs)),
    };
  };

  readonly diff = async (id: string, olds: PropertyMap, news: PropertyMap): Promise<Difference> => {
    const [before, after] = [splitInternal(olds), splitInternal(news)];
    (await this.session).assertSameServer(before.internal, this.endpointOf(before.properties));
    const facts = this.memory.get(after.internal);
    // A refresh has no unknowns. The engine diffs dependents of a replaced resource before it checks them.
    const isRequestedByProgram = facts.isCheckedSinceRead || containsUnknown(after.properties);
    const { __routes: missingRoutes, __unready: isUnfinished = false, __secretInputs = [] } = before.internal;
    const plan = planChange(this.definition, before.properties, after.properties, {
      now: this.environment.clock.now(),
      isRequestedByProgram,
      isUnfinished,
      missingRoutes,
      secretInputs: [...(facts.secretInputs ?? []), ...__secretInputs],
      replaceOnChanges: facts.replaceOnChanges,
      outputChangeOf: this.environment.memory.outputChanges.get,
    });
    this.routes.note(id, after.internal, missingRoutes, plan.replace?.isForcedByRoutes === true);
    if (isRequestedByProgram && plan.changes.length > 0)
      await this.announcer.change(after.internal, before.properties, plan);
    this.memory.noteDiff(after.internal, id, plan.replace !== undefined);
    return { ...plan, isImportedWithoutInputs: facts.isImportedWithoutInputs === true };
  };

  readonly create = (inputs: PropertyMap): Promise<dynamic.CreateResult> =>
    this.run("create", inputs, this.routes.forCreate(splitInternal(inputs).internal), async (ctx, inputs, internal) => {
      const result = internal.__import
        ? await importExisting(this.definition, internal.__import, inputs, ctx)
        : ((await resumeInterrupted(this.definition, inputs, ctx)) ?? (await this.definition.create(inputs, ctx)));
      this.memory.noteCreated(result.id);
      const outputInternal = { ...internal, ...this.memory.outputKeys(internal) };
      const session = await this.session;
      return {
        id: result.id,
        outs: await awaitReady(this.definition, result, inputs, internalOutputs(outputInternal), session),
      };
    });

  readonly read = async (wholeId: string, props: PropertyMap): Promise<dynamic.ReadResult> => {
    const { properties, internal } = splitInternal(props);
    this.memory.noteRead(internal);
    const { id, inputs } = isUnmanaged(internal)
      ? parseId(this.definition, wholeId)
      : { id: wholeId, inputs: properties };
    const ctx = await this.openContext(inputs, internal, "update");
    const found = await readObject(this.definition, id, inputs, internal, ctx);
    await this.environment.report.flush();
    if (!found) return {};
    const { remote, keys, flags, warnings = [] } = found;
    this.memory.noteImport(internal, warnings);
    return {
      id,
      props: { ...outputsOf(this.definition, remote.inputs, remote.state, keys, await this.session), ...flags },
      inputs: serialize({ ...withMarkedSecrets(this.definition, remote.inputs), ...inputKeys(internal) }),
    };
  };

  readonly update = (id: string, olds: PropertyMap, news: PropertyMap): Promise<dynamic.UpdateResult> => {
    const before = splitInternal(olds);
    const remembered = { ...rememberedKeys(before.internal), ...this.memory.outputKeys(splitInternal(news).internal) };
    return this.run("update", news, remembered, async (ctx, inputs, internal) => {
      const session = await this.session;
      session.assertSameServer(before.internal, this.endpointOf(before.properties));
      const { paths } = diffInputs(this.definition, before.properties, inputs);
      const request = { inputs, previous: before.properties, paths, isUnfinished: before.internal.__unready === true };
      const result = await this.definition.update(id, request, ctx);
      return { outs: await awaitReady(this.definition, result, inputs, internalOutputs(internal), session) };
    });
  };

  readonly delete = async (id: string, props: PropertyMap): Promise<void> => {
    const { properties: inputs, internal } = splitInternal(props);
    // The engine only drops external resources from state. Should it ever delete one, nothing is deleted remotely.
    if (internal.__external) return;
    const kept = keptObject(this.definition, id, this.memory);
    if (kept !== undefined) {
      this.environment.report.warn(internal.__urn ?? "", kept);
      return this.environment.report.flush();
    }
    const ctx = await this.openContext(inputs, internal, "delete");
    await this.routes.assertStillForced(this.definition, id, inputs, ctx);
    const retained = await this.definition.delete(id, inputs, ctx);
    if (retained && "warning" in retained) ctx.log.warn(retained.warning);
    else if (retained) this.environment.report.info(ctx.urn, retained.info);
    await this.environment.report.flush();
  };

  /**
   * Runs create or update.
   * @param remembered Internal properties that only state contains.
   */
  private async run<T>(
    operation: "create" | "update",
    properties: PropertyMap,
    remembered: InternalProperties,
    perform: (ctx: Context, inputs: PropertyMap, internal: InternalProperties) => Promise<T>,
  ): Promise<T> {
    const { properties: inputs, internal: declared } = splitInternal(properties);
    const internal = { ...remembered, ...declared };
    try {
      (await this.session).assertFailureBudget();
      return await perform(await this.openContext(inputs, internal, operation, false), inputs, internal);
    } finally {
      await this.environment.report.flush();
    }
  }

  private async openContext(
    inputs: PropertyMap,
    internal: InternalProperties,
    operation: Operation,
    verifyServer = true,
  ): Promise<Context> {
    const session = await this.session;
    const endpoint = this.endpointOf(inputs);
    if (verifyServer) session.assertSameServer(internal, endpoint);
    return session.context(this.definition, internal, operation, endpoint);
  }

  private readonly endpointOf = (properties: PropertyMap): string | undefined =>
    this.definition.endpointFromInputs?.(properties);

  /** Returns the name in state, also in the second check of a replacement, which receives no old inputs. */
  private previousName(previous: PropertyMap, internal: InternalProperties): unknown {
    const facts = this.memory.get(internal);
    const { nameFrom } = this.definition.schema;
    const name = nameFrom && previous[nameFrom];
    if (name !== undefined) facts.name = name;
    return facts.name;
  }
}
