/**
 * What the engine asked about each resource in this run. Its calls come one at a time and each carries only a part of
 * what is known, so what one call shows and a later one needs is kept here, by URN. Methods are named after the calls.
 */
import type { InternalProperties } from "../plan/property-values";

export interface Timeouts {
  create?: string;
  update?: string;
  delete?: string;
}

interface ResourceFacts {
  /** It was checked after it was last read: a refresh also calls diff, but nothing happens then. */
  isCheckedSinceRead?: boolean;
  /** An import by file made its state, which lacks the hidden inputs that only the program knows. */
  isImportedWithoutInputs?: boolean;
  /** Diff replaces it, so the engine checks it a second time, without old inputs. */
  isPendingReplacement?: boolean;
  /** The name that it had in the first check of this run. */
  name?: unknown;
  /** customTimeouts as the program has them now; inputs keep those of the create. */
  timeouts?: Timeouts;
  /** What only one resource of a program can have. */
  claim?: string | undefined;
  /** Top-level inputs that the program marks secret. */
  secretInputs?: readonly string[];
  /** Paths whose change the program wants to replace it. */
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

  /** @returns whether it was checked before and is checked again only because it is replaced. */
  noteCheck(internal: InternalProperties, previous: InternalProperties): boolean {
    const facts = this.get(internal);
    facts.isCheckedSinceRead = true;
    facts.timeouts = internal.__timeouts ?? {};
    facts.secretInputs = internal.__secretInputs ?? [];
    facts.replaceOnChanges = internal.__replaceOnChanges ?? [];
    if (previous.__provider !== undefined && previous.__urn === undefined) facts.isImportedWithoutInputs = true;
    const isReplacementCheck = facts.isPendingReplacement ?? false;
    facts.isPendingReplacement = false;
    return isReplacementCheck;
  }

  /** @returns the URN of another resource that claimed the same in this run. */
  claim(internal: InternalProperties, claim: string | undefined): string | undefined {
    // An import by file knows no URN, and creates nothing.
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

  /** What the program says of a resource besides its inputs, for its outputs: state keeps it, and no preview lists it. */
  outputKeys(internal: InternalProperties): InternalProperties {
    const { timeouts, secretInputs = [] } = this.get(internal);
    return {
      ...(timeouts && { __customTimeouts: timeouts }),
      ...(secretInputs.length > 0 && { __secretInputs: secretInputs }),
    };
  }

  noteRead(internal: InternalProperties): void {
    this.get(internal).isCheckedSinceRead = false;
  }

  noteCreated(id: string): void {
    this.createdIds.add(id);
  }

  /** A delete of what this run created is the engine's mistake about a replacement. */
  hasCreated(id: string): boolean {
    return this.createdIds.has(id);
  }
}

/**
 * The hidden inputs that check returns. What no update needs from the inputs stays as it was: the engine lists every
 * input that differs, hidden ones too, and only when it computes the list itself is replaceOnChanges heard.
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

/** The hidden outputs after an update: customTimeouts stand beside those of the inputs only where they differ. */
export function internalOutputs({ __customTimeouts, ...internal }: InternalProperties): InternalProperties {
  const isSame = __customTimeouts === undefined || sameTimeouts(internal.__timeouts ?? {}, __customTimeouts);
  return isSame ? internal : { ...internal, __customTimeouts };
}

const sameTimeouts = (left: Timeouts, right: Timeouts) =>
  left.create === right.create && left.update === right.update && left.delete === right.delete;
