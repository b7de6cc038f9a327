/**
 * What a run knows of one resource. Each call of the engine carries only a part of what a later one requires, so the methods
 * are named after the calls.
 */
import type { Facts, RequestFacts, Timeouts } from "../../plan/facts";

/** An object that the engine read by its ID: for an import, or only to look at it. */
export interface FoundById {
  id: string;
  /** What to warn of when the program imports it. */
  warnings: readonly string[];
  /** Why the program must not import it. */
  problem?: string | undefined;
}

export class ResourceRun {
  private name: unknown;
  /** The unique values that its inputs claim, see `unique` of a definition. */
  claim?: string | undefined;
  /** Whether the program declares it: a refresh calls diff without a check, and changes nothing. */
  isChecked = false;
  /** Whether `pulumi import --file` created its state, without the internal inputs that only a program provides. */
  isImportedWithoutInputs = false;
  /** Whether it is replaced only because of routes that the server lacked when state was written. */
  isReplacedForRoutes = false;
  /** The options of the program in the last check, which diff, create and update do not receive. */
  secretInputs: readonly string[] = [];
  replaceOnChanges: readonly string[] = [];
  private timeouts: Timeouts | undefined;
  /** A diff replaces it. The engine diffs the dependents of a replaced resource before it checks them. */
  private isReplacing = false;
  /** The object that the engine read by its ID, until a check shows that the program imports it. */
  foundById: FoundById | undefined;
  private routes: readonly string[] | undefined;

  /** Returns the name in state, also in the second check of a replacement, which receives no old inputs. */
  nameInState(name: unknown): unknown {
    if (name !== undefined) this.name = name;
    return this.name;
  }

  /** @returns Whether this is the second check of a replacement: the engine repeats it, without old inputs. */
  checked({ timeouts = {}, secretInputs = [], replaceOnChanges = [] }: Facts, previous: Facts): boolean {
    const { isReplacing } = this;
    this.isReplacing = false;
    this.isChecked = true;
    this.timeouts = timeouts;
    this.secretInputs = secretInputs;
    this.replaceOnChanges = replaceOnChanges;
    this.isImportedWithoutInputs ||= previous.provider !== undefined && previous.urn === undefined;
    return isReplacing;
  }

  /** @param routes Optional routes that the server lacks, from state. @param replace Present when it is replaced. */
  diffed(routes: readonly string[] | undefined, replace: { isForcedByRoutes: boolean } | undefined): void {
    this.isReplacing ||= replace !== undefined;
    // A replacement creates without the state that records them.
    this.routes = routes ?? this.routes;
    this.isReplacedForRoutes = replace?.isForcedByRoutes === true;
  }

  /** Returns the object that the checked resource imports, once. */
  takeFoundById(): FoundById | undefined {
    const { foundById } = this;
    this.foundById = undefined;
    return foundById;
  }

  /** Returns the recorded routes for the create of a replacement. */
  factsForCreate(): Facts {
    return this.routes ? { routes: this.routes } : {};
  }

  /** Returns options of the program to store in outputs: state keeps them, and no preview lists them. */
  outputFacts(): RequestFacts {
    const { timeouts, secretInputs } = this;
    return {
      ...(timeouts && { customTimeouts: timeouts }),
      ...(secretInputs.length > 0 && { secretInputs }),
    };
  }
}
