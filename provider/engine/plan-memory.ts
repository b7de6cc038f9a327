/**
 * What is known about each resource in this run, by URN. Each call of the engine carries only part of the information, so
 * what one call provides and a later one requires is kept here.
 */
import type { InternalProperties } from "../plan/property-values";

export interface Timeouts {
  create?: string;
  update?: string;
  delete?: string;
}

interface ResourceFacts {
  /** Checked since it was last read. A refresh calls diff without a check, and changes nothing. */
  isCheckedSinceRead?: boolean;
  /** `pulumi import --file` created its state, without the internal inputs that only a program provides. */
  isImportedWithoutInputs?: boolean;
  /** The ID of its object, which the program declares and which is not replaced. */
  keptId?: string;
  /** Diff replaces it, so the engine checks it again, without old inputs. */
  isPendingReplacement?: boolean;
  /** The name in the first check of this run. */
  name?: unknown;
  /** The program's current customTimeouts; the inputs keep those of the create. */
  timeouts?: Timeouts;
  /** The claim to a unique value, see `unique` of a definition. */
  claim?: string | undefined;
  /** Top-level inputs that the program marks secret. */
  secretInputs?: readonly string[];
  /** What to warn of when the program imports the object. */
  importWarnings?: readonly string[];
  /** The resource option `replaceOnChanges`. */
  replaceOnChanges?: readonly string[];
}

export class PlanMemory {
  private readonly byUrn = new Map<string, ResourceFacts>();
  private readonly urnByClaim = new Map<string, string>();
  private readonly createdIds = new Set<string>();

  get({ __urn: urn = "" }: InternalProperties): ResourceFacts {
    const facts = this.byUrn.get(urn);
    if (facts) return facts;
    const empty: ResourceFacts = {};
    this.byUrn.set(urn, empty);
    return empty;
  }

  /**
   * @param isNew Whether the engine passes no old inputs: the resource is created or replaced.
   * @returns Whether this is the second check of a replacement.
   */
  noteCheck(internal: InternalProperties, previous: InternalProperties, isNew: boolean): boolean {
    const facts = this.get(internal);
    // A resource option may replace it, although its diff did not.
    if (isNew) delete facts.keptId;
    facts.isCheckedSinceRead = true;
    facts.timeouts = internal.__timeouts ?? {};
    facts.secretInputs = internal.__secretInputs ?? [];
    facts.replaceOnChanges = internal.__replaceOnChanges ?? [];
    if (previous.__provider !== undefined && previous.__urn === undefined) facts.isImportedWithoutInputs = true;
    const isReplacementCheck = facts.isPendingReplacement ?? false;
    facts.isPendingReplacement = false;
    return isReplacementCheck;
  }

  /** @returns The URN of another resource with the same claim in this run. */
  claim(internal: InternalProperties, claim: string | undefined): string | undefined {
    // `pulumi import --file` passes no URN and creates nothing.
    if (internal.__urn === undefined) return undefined;
    const facts = this.get(internal);
    if (facts.claim !== undefined && this.urnByClaim.get(facts.claim) === internal.__urn)
      this.urnByClaim.delete(facts.claim);
    facts.claim = claim;
    if (claim === undefined) return undefined;
    const claimedBy = this.urnByClaim.get(claim);
    if (claimedBy === undefined) this.urnByClaim.set(claim, internal.__urn);
    return claimedBy;
  }

  /** Returns options of the program to store in outputs: state keeps them, and no preview lists them. */
  outputKeys(internal: InternalProperties): InternalProperties {
    const { timeouts, secretInputs = [] } = this.get(internal);
    return {
      ...(timeouts && { __customTimeouts: timeouts }),
      ...(secretInputs.length > 0 && { __secretInputs: secretInputs }),
    };
  }

  /** Keeps warnings about an object that was read by its ID, until a check shows that the program imports it. */
  noteImport(internal: InternalProperties, warnings: readonly string[]): void {
    this.get(internal).importWarnings = warnings;
  }

  /** Returns the warnings of an import, once. */
  takeImportWarnings(internal: InternalProperties): readonly string[] {
    const facts = this.get(internal);
    const warnings = facts.importWarnings ?? [];
    facts.importWarnings = [];
    return warnings;
  }

  noteRead(internal: InternalProperties): void {
    this.get(internal).isCheckedSinceRead = false;
  }

  /** Notes the result of a diff. @param isReplaced Whether the object is replaced. */
  noteDiff(internal: InternalProperties, id: string, isReplaced: boolean): void {
    const facts = this.get(internal);
    if (isReplaced) facts.isPendingReplacement = true;
    if (facts.isCheckedSinceRead && !isReplaced) facts.keptId = id;
    else delete facts.keptId;
  }

  /**
   * Whether the program declares the object, and this run keeps it. The engine may still delete it for a replacement that
   * an earlier run did not complete, because the create of that run found the old object.
   */
  isKept(id: string): boolean {
    return [...this.byUrn.values()].some(({ keptId }) => keptId === id);
  }

  noteCreated(id: string): void {
    this.createdIds.add(id);
  }

  /** Whether this run created the object. The engine may then delete it by mistake during a replacement. */
  hasCreated(id: string): boolean {
    return this.createdIds.has(id);
  }
}

/**
 * Returns the internal inputs for check to return. Those that updates do not use stay unchanged, because the engine lists
 * every input that differs, including internal ones.
 */
export function internalInputs(
  { __secretInputs, __replaceOnChanges, ...internal }: InternalProperties,
  previous: InternalProperties,
): InternalProperties {
  if (previous.__provider === undefined) return internal;
  const { __import, __timeouts, ...rest } = internal;
  return {
    ...rest,
    ...(previous.__import !== undefined && { __import: previous.__import }),
    ...(previous.__timeouts !== undefined && { __timeouts: previous.__timeouts }),
  };
}

/** Returns the internal outputs after an update; `__customTimeouts` only when they differ from those in the inputs. */
export function internalOutputs({ __customTimeouts, ...internal }: InternalProperties): InternalProperties {
  const isSame = __customTimeouts === undefined || sameTimeouts(internal.__timeouts ?? {}, __customTimeouts);
  return isSame ? internal : { ...internal, __customTimeouts };
}

const sameTimeouts = (left: Timeouts, right: Timeouts) =>
  left.create === right.create && left.update === right.update && left.delete === right.delete;
