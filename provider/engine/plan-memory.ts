/**
 * What is known about each resource in this run, by URN. Each call of the engine carries only part of the information, so
 * what one call provides and a later one requires is kept here.
 */
import type { Facts, RequestFacts, Timeouts } from "../plan/facts";
import type { ManagedObjects, NamedObject } from "./managed-objects";

interface ResourceMemory {
  /** Checked since it was last read. A refresh calls diff without a check, and changes nothing. */
  isCheckedSinceRead?: boolean;
  /** `pulumi import --file` created its state, without the internal inputs that only a program provides. */
  isImportedWithoutInputs?: boolean;
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
  /** The object that was read by its ID, until a check shows that the program imports it. */
  foundById?: FoundById | undefined;
  /** The resource option `replaceOnChanges`. */
  replaceOnChanges?: readonly string[];
}

/** An object that the engine read by its ID: for an import, or only to look at it. */
export interface FoundById {
  id: string;
  /** What to warn of when the program imports it. */
  warnings: readonly string[];
  /** Why the program must not import it. */
  problem?: string | undefined;
}

export class PlanMemory {
  private readonly byUrn = new Map<string, ResourceMemory>();
  private readonly urnByClaim = new Map<string, string>();

  constructor(private readonly objects: ManagedObjects) {}

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
    if (isNew) this.objects.release(facts.urn ?? "");
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

  noteFoundById(facts: Facts, found: FoundById): void {
    this.get(facts).foundById = found;
  }

  /** Returns the object that the checked resource imports, once. */
  takeFoundById(facts: Facts): FoundById | undefined {
    const memory = this.get(facts);
    const found = memory.foundById;
    memory.foundById = undefined;
    return found;
  }

  noteRead(facts: Facts): void {
    this.get(facts).isCheckedSinceRead = false;
  }

  /**
   * Notes the result of a diff.
   * @param object The object of the resource.
   * @param isReplaced Whether it is replaced.
   */
  noteDiff(object: NamedObject, isReplaced: boolean): void {
    const memory = this.get(object);
    if (isReplaced) memory.isPendingReplacement = true;
    if (memory.isCheckedSinceRead && !isReplaced) this.objects.note({ ...object, how: "kept" });
    else this.objects.release(object.urn);
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
