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

interface Remembered {
  /** It was checked after it was last read: a refresh also calls diff, but nothing happens then. */
  isPlanned?: boolean;
  /** An import by file made its state, which lacks the hidden inputs that only the program knows. */
  isIncomplete?: boolean;
  /** Diff replaces it, so the engine checks it a second time, without old inputs. */
  isReplaced?: boolean;
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
  private readonly byUrn = new Map<string, Remembered>();
  private readonly claims = new Map<string, string>();
  private readonly createdIds = new Set<string>();

  of({ __urn: urn = "" }: InternalProperties): Remembered {
    const known = this.byUrn.get(urn);
    if (known) return known;
    const made: Remembered = {};
    this.byUrn.set(urn, made);
    return made;
  }

  /** @returns whether it was checked before and is checked again only because it is replaced. */
  checked(hidden: InternalProperties, before: InternalProperties): boolean {
    const known = this.of(hidden);
    known.isPlanned = true;
    known.timeouts = hidden.__timeouts ?? {};
    known.secretInputs = hidden.__secretInputs ?? [];
    known.replaceOnChanges = hidden.__replaceOnChanges ?? [];
    if (before.__provider !== undefined && before.__urn === undefined) known.isIncomplete = true;
    const isAgain = known.isReplaced ?? false;
    known.isReplaced = false;
    return isAgain;
  }

  /** @returns the URN of another resource that claimed the same in this run. */
  claim(hidden: InternalProperties, claim: string | undefined): string | undefined {
    // An import by file knows no URN, and creates nothing.
    if (hidden.__urn === undefined) return undefined;
    const known = this.of(hidden);
    if (known.claim !== undefined && this.claims.get(known.claim) === hidden.__urn) this.claims.delete(known.claim);
    known.claim = claim;
    if (claim === undefined) return undefined;
    const holder = this.claims.get(claim);
    if (holder === undefined) this.claims.set(claim, hidden.__urn);
    return holder;
  }

  /** What the program says of a resource besides its inputs, for its outputs: state keeps it, and no preview lists it. */
  forOutputs(hidden: InternalProperties): InternalProperties {
    const { timeouts, secretInputs = [] } = this.of(hidden);
    return {
      ...(timeouts && { __customTimeouts: timeouts }),
      ...(secretInputs.length > 0 && { __secretInputs: secretInputs }),
    };
  }

  read(hidden: InternalProperties): void {
    this.of(hidden).isPlanned = false;
  }

  created(id: string): void {
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
export function hiddenInputs(
  { __secretInputs, __replaceOnChanges, ...hidden }: InternalProperties,
  before: InternalProperties,
): InternalProperties {
  if (before.__provider === undefined) return hidden;
  const { __import, __timeouts, ...rest } = hidden;
  return {
    ...rest,
    ...(before.__import !== undefined && { __import: before.__import }),
    ...(before.__timeouts !== undefined && { __timeouts: before.__timeouts }),
  };
}

/** The hidden outputs after an update: customTimeouts stand beside those of the inputs only where they differ. */
export function hiddenOutputs({ __customTimeouts, ...hidden }: InternalProperties): InternalProperties {
  const isSame = __customTimeouts === undefined || sameTimeouts(hidden.__timeouts ?? {}, __customTimeouts);
  return isSame ? hidden : { ...hidden, __customTimeouts };
}

const sameTimeouts = (left: Timeouts, right: Timeouts) =>
  left.create === right.create && left.update === right.update && left.delete === right.delete;
