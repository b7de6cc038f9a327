/**
 * A definition -> check, diff, create, read, update, delete as the engine calls them.
 *
 * check and diff are pure: they ask no server, so that a preview needs neither an API key nor a network. What diff finds
 * comes from plan/, and announcer.ts shows it on the resource's row.
 *
 * create and update have two phases. The definition's verb returns as soon as the server has an ID; from then on nothing
 * may lose it. Then `ready` waits until the object really works, and whatever fails there leaves as an error that
 * carries the ID and what the server holds (state.ts), so that the next `pulumi up` continues.
 */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import type { CreateResult } from "../definition/results";
import { validate } from "../plan/check";
import { diffInputs, inputsOf } from "../plan/diff";
import { claimOf, computedInputs, duplicateOf, failureOf, importProblems, withKeptName } from "../plan/inputs";
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
import { type Environment, realEnvironment } from "./environment";
import { guarded } from "./error-boundary";
import { readExternal } from "./external-read";
import { importExisting, resumeInterrupted } from "./import";
import { OutgoingText } from "./outgoing-text";
import { hiddenInputs, hiddenOutputs, PlanMemory } from "./plan-memory";
import { RouteMemory, stillMissing, withRoutes } from "./route-memory";
import { type Operation, ProviderSession } from "./session";
import { awaitReady, outputsOf, withMarkedSecrets } from "./state";

/** What the engine's host calls. */
export type Lifecycle = Required<dynamic.ResourceProvider>;

export function lifecycle<I extends PropertyMap, S extends PropertyMap>(
  typed: Definition<I, S>,
  environment: Environment = realEnvironment(),
): Lifecycle {
  const definition = typed as unknown as Definition;
  const outgoing = new OutgoingText(environment.report);
  const inner = new ResourceLifecycle(definition, { ...environment, report: outgoing });
  return guarded(inner, { definition, outgoing, memory: environment.memory });
}

class ResourceLifecycle implements Lifecycle {
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

  // The host keeps this object before it has awaited configure, so a second call may come in between: the promise is
  // kept at once, and awaited by everyone.
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
    const { properties: declared, internal: told } = splitInternal(news);
    const { __defaultName: defaultName, ...hidden } = told;
    const { properties: previous, internal: before } = splitInternal(olds ?? {});
    const isAgain = this.memory.checked(hidden, before);
    const session = await this.session;
    const visible = withKeptName(this.definition, declared, defaultName, this.nameOf(previous, hidden));
    const { failures, warnings } = validate(this.definition, visible, previous, containsUnknown, session.settings);
    failures.push(...importProblems(this.definition, hidden));
    const other = failures.length === 0 && this.memory.claim(hidden, claimOf(this.definition, visible));
    if (other) failures.push(duplicateOf(this.definition, visible, other));
    const derived = failures.length === 0 ? await computedInputs(this.definition, visible, failures) : {};
    if (!isAgain) {
      if (Object.keys(previous).length === 0 && failures.length === 0) this.announcer.create(hidden, visible);
      this.announcer.warn(hidden, warnings);
    }
    this.announcer.settings(hidden, session.warnings(this.endpointIn(visible)));
    await this.environment.report.flush();
    return {
      inputs: serialize({
        ...withMarkedSecrets(this.definition, visible),
        ...derived,
        ...hiddenInputs(hidden, before),
      }),
      failures: failures.map((failure) => failureOf(this.definition, failure, visible)),
    };
  };

  readonly diff = async (id: string, olds: PropertyMap, news: PropertyMap): Promise<dynamic.DiffResult> => {
    const [before, after] = [splitInternal(olds), splitInternal(news)];
    (await this.session).assertSameServer(before.internal, this.endpointIn(before.properties));
    const known = this.memory.of(after.internal);
    // A refresh knows every value. What depends on a replaced resource is asked about before it is checked.
    const isPlanned = known.isPlanned || containsUnknown(after.properties);
    const { __routes: missingRoutes, __unready: isUnfinished = false, __secretInputs = [] } = before.internal;
    const plan = planChange(this.definition, before.properties, after.properties, {
      now: this.environment.clock.now(),
      isPlanned,
      isUnfinished,
      missingRoutes,
      secretInputs: [...(known.secretInputs ?? []), ...__secretInputs],
      replaceOnChanges: known.replaceOnChanges,
      fateOf: this.environment.memory.fates.of,
    });
    this.routes.note(id, after.internal, missingRoutes, plan.replace?.isForcedByRoutes === true);
    if (plan.changes.length === 0) return { changes: false };
    if (isPlanned) await this.announcer.change(after.internal, before.properties, plan);
    if (plan.replace) known.isReplaced = true;
    return this.answer(plan, known.isIncomplete === true);
  };

  /** @param isIncomplete Whether an import by file made the state. */
  private answer({ paths, replace }: PlannedChange, isIncomplete: boolean): dynamic.DiffResult {
    const keys = [...new Set((replace?.paths ?? []).map((path) => path.split(".")[0] as string))];
    // Where nothing that the engine compares differs, it has to be told of the change, and of the replacement.
    if (replace && keys.length === 0) return { changes: true, replaces: ["id"], deleteBeforeReplace: true };
    if (paths.length === 0) return { changes: true };
    // `changes` stays undefined: the engine then computes the details itself, and replaceOnChanges works. But of what
    // was imported they would name hidden inputs, which its display leaves out when it is only told of a change.
    return { ...(isIncomplete && { changes: true }), replaces: keys, deleteBeforeReplace: true };
  }

  readonly create = (inputs: PropertyMap): Promise<dynamic.CreateResult> =>
    this.run("create", inputs, this.routes.forCreate(splitInternal(inputs).internal), async (ctx, visible, hidden) => {
      const made = hidden.__import
        ? await importExisting(this.definition, hidden.__import, visible, ctx)
        : ((await resumeInterrupted(this.definition, visible, ctx)) ?? (await this.definition.create(visible, ctx)));
      this.memory.created(made.id);
      const known = { ...hidden, ...this.memory.forOutputs(hidden) };
      return { id: made.id, outs: await this.settle(made, visible, hiddenOutputs(known)) };
    });

  readonly read = async (id: string, props: PropertyMap): Promise<dynamic.ReadResult> => {
    const { properties: visible, internal: hidden } = splitInternal(props);
    this.memory.read(hidden);
    const ctx = await this.open(visible, hidden, "update");
    const { __external, __schema } = hidden;
    const seen = __external
      ? await readExternal(this.definition, id, visible, __schema === undefined, ctx)
      : await this.definition.read(id, inputsOf(this.definition, visible), visible, ctx);
    const routes =
      seen && !__external && (await stillMissing(this.definition, id, { ...seen.inputs, ...seen.state }, ctx));
    await this.environment.report.flush();
    if (!seen) return {};
    return {
      id,
      props: {
        ...outputsOf(
          this.definition,
          seen.inputs,
          seen.state,
          withRoutes(hidden, routes || undefined),
          await this.session,
        ),
        ...(__external && { __external }),
        // A refresh clears the errors that the engine keeps, and with them the reason for the next up to continue.
        ...((seen.unready ?? hidden.__unready) && { __unready: true }),
      },
      inputs: serialize({ ...withMarkedSecrets(this.definition, seen.inputs), ...inputKeys(hidden) }),
    };
  };

  readonly update = (id: string, olds: PropertyMap, news: PropertyMap): Promise<dynamic.UpdateResult> => {
    const before = splitInternal(olds);
    const known = { ...rememberedKeys(before.internal), ...this.memory.forOutputs(splitInternal(news).internal) };
    return this.run("update", news, known, async (ctx, inputs, hidden) => {
      (await this.session).assertSameServer(before.internal, this.endpointIn(before.properties));
      const { paths } = diffInputs(this.definition, before.properties, inputs);
      const unfinished = before.internal.__unready === true;
      const made = await this.definition.update(id, { inputs, previous: before.properties, paths, unfinished }, ctx);
      return { outs: await this.settle(made, inputs, hiddenOutputs(hidden)) };
    });
  };

  readonly delete = async (id: string, props: PropertyMap): Promise<void> => {
    const { properties: visible, internal: hidden } = splitInternal(props);
    // The engine only forgets what a program reads; should it ever ask for more, the server keeps it.
    if (hidden.__external) return;
    if (this.memory.hasCreated(id)) {
      throw new OwnershipError(
        `${this.definition.kind} ${id} was created in this same run, so it is not deleted: the engine takes it for the old one of a replacement. Run \`pulumi up\` again.`,
      );
    }
    const ctx = await this.open(visible, hidden, "delete");
    await this.routes.assertStillForced(this.definition, id, visible, ctx);
    const left = await this.definition.delete(id, visible, ctx);
    if (left && "warning" in left) ctx.log.warn(left.warning);
    else if (left) this.environment.report.info(ctx.urn, left.info);
    await this.environment.report.flush();
  };

  /**
   * Runs create or update.
   * @param known What state remembers and the program does not know.
   */
  private async run<T>(
    operation: "create" | "update",
    bag: PropertyMap,
    known: InternalProperties,
    act: (ctx: Context, visible: PropertyMap, hidden: InternalProperties) => Promise<T>,
  ): Promise<T> {
    const { properties: visible, internal: declared } = splitInternal(bag);
    const hidden = { ...known, ...declared };
    try {
      (await this.session).assertFailureBudget();
      return await act(await this.open(visible, hidden, operation, false), visible, hidden);
    } finally {
      await this.environment.report.flush();
    }
  }

  private async open(
    visible: PropertyMap,
    hidden: InternalProperties,
    operation: Operation,
    guard = true,
  ): Promise<Context> {
    const session = await this.session;
    const endpoint = this.endpointIn(visible);
    if (guard) session.assertSameServer(hidden, endpoint);
    return session.context(this.definition, hidden, operation, endpoint);
  }

  private async settle(
    made: CreateResult<PropertyMap>,
    inputs: PropertyMap,
    hidden: InternalProperties,
  ): Promise<PropertyMap> {
    return awaitReady(this.definition, made, inputs, hidden, await this.session);
  }

  private readonly endpointIn = (bag: PropertyMap): string | undefined => this.definition.endpointFromInputs?.(bag);

  /** The name in state; also in the second check of a replacement, which sees no old inputs. */
  private nameOf(previous: PropertyMap, hidden: InternalProperties): unknown {
    const known = this.memory.of(hidden);
    const { nameFrom } = this.definition.schema;
    const name = nameFrom && previous[nameFrom];
    if (name !== undefined) known.name = name;
    return known.name;
  }
}
