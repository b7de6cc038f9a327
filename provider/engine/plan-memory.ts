/**
 * What is known about each resource in this run, by URN. Each call of the engine carries only part of the information, so
 * what one call provides and a later one requires is kept here.
 */
import type { Facts, RequestFacts, Timeouts } from "../plan/facts";

interface ResourceMemory {
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
  /** Paths of the inputs that the program marks secret. */
  secretInputs?: readonly string[];
  /** What to warn of when the program imports the object. */
  importWarnings?: readonly string[];
  /** The resource option `replaceOnChanges`. */
  replaceOnChanges?: readonly string[];
}

export class PlanMemory {
  private readonly byUrn = new Map<string, ResourceMemory>();
  private readonly urnByClaim = new Map<string, string>();
  private readonly createdIds = new Set<string>();

  get({ urn = "" }: Facts): ResourceMemory {
    const memory = this.byUrn.get(urn);
    if (memory) return memory;
    const empty: ResourceMemory = {};
    this.byUrn.set(urn, empty);
    return empty;
  }

  /**
   * @param isNew Whether the engine passes no old inputs: the resource is created or replaced.
   * @returns Whether this is the second check of a replacement.
   */
  noteCheck(facts: Facts, previous: Facts, isNew: boolean): boolean {
    const memory = this.get(facts);
    // A resource option may replace it, although its diff did not.
    if (isNew) delete memory.keptId;
    memory.isCheckedSinceRead = true;
    memory.timeouts = facts.timeouts ?? {};
    memory.secretInputs = facts.secretInputs ?? [];
    memory.replaceOnChanges = facts.replaceOnChanges ?? [];
    if (previous.provider !== undefined && previous.urn === undefined) memory.isImportedWithoutInputs = true;
    const isReplacementCheck = memory.isPendingReplacement ?? false;
    memory.isPendingReplacement = false;
    return isReplacementCheck;
  }

  /** @returns The URN of another resource with the same claim in this run. */
  claim({ urn }: Facts, claim: string | undefined): string | undefined {
    // `pulumi import --file` passes no URN and creates nothing.
    if (urn === undefined) return undefined;
    const memory = this.get({ urn });
    if (memory.claim !== undefined && this.urnByClaim.get(memory.claim) === urn) this.urnByClaim.delete(memory.claim);
    memory.claim = claim;
    if (claim === undefined) return undefined;
    const claimedBy = this.urnByClaim.get(claim);
    if (claimedBy === undefined) this.urnByClaim.set(claim, urn);
    return claimedBy;
  }

  /** Returns options of the program to store in outputs: state keeps them, and no preview lists them. */
  outputFacts(facts: Facts): RequestFacts {
    const { timeouts, secretInputs = [] } = this.get(facts);
    return {
      ...(timeouts && { customTimeouts: timeouts }),
      ...(secretInputs.length > 0 && { secretInputs }),
    };
  }

  /** Keeps warnings about an object that was read by its ID, until a check shows that the program imports it. */
  noteImport(facts: Facts, warnings: readonly string[]): void {
    this.get(facts).importWarnings = warnings;
  }

  /** Returns the warnings of an import, once. */
  takeImportWarnings(facts: Facts): readonly string[] {
    const memory = this.get(facts);
    const warnings = memory.importWarnings ?? [];
    memory.importWarnings = [];
    return warnings;
  }

  noteRead(facts: Facts): void {
    this.get(facts).isCheckedSinceRead = false;
  }

  /** Notes the result of a diff. @param isReplaced Whether the object is replaced. */
  noteDiff(facts: Facts, id: string, isReplaced: boolean): void {
    const memory = this.get(facts);
    if (isReplaced) memory.isPendingReplacement = true;
    if (memory.isCheckedSinceRead && !isReplaced) memory.keptId = id;
    else delete memory.keptId;
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
 * Returns the facts for check to return. Those that updates do not use stay unchanged, because the engine of dynamic
 * resources lists every input that differs, including these.
 */
export function factsOfCheck(
  { defaultName: _name, secretInputs: _secrets, replaceOnChanges: _replace, ...facts }: Facts,
  previous: Facts,
): Facts {
  if (previous.provider === undefined) return facts;
  return { ...facts, import: previous.import, timeouts: previous.timeouts } as Facts;
}

/** Returns the facts to store after an operation; `customTimeouts` only when they differ from those in the inputs. */
export function factsToStore({ customTimeouts, ...facts }: Facts): Facts {
  const isSame = customTimeouts === undefined || sameTimeouts(facts.timeouts ?? {}, customTimeouts);
  return isSame ? facts : { ...facts, customTimeouts };
}

const sameTimeouts = (left: Timeouts, right: Timeouts) =>
  left.create === right.create && left.update === right.update && left.delete === right.delete;
