/** What the provider remembers of one run of the engine. Nothing else keeps anything between two calls. */
import type { Clients } from "../../api/clients";
import { RunScope } from "../../definition/context";
import type { Clock } from "../../http/clock";
import type { Facts, RequestFacts } from "../../plan/facts";
import { OutputChanges } from "../../plan/planned-outputs";
import type { Settings } from "../../settings/settings";
import { ObservedRequests } from "../../telemetry/observed-requests";
import { NO_TRACE, type Trace } from "../../telemetry/trace";
import { ManagedObjects } from "./managed-objects";
import { Replacements } from "./replacements";
import { RunFolder } from "./run-folder";

export class RunState {
  /** Whether the program runs, so that the settings are current. Otherwise the engine takes them from state. */
  isProgramRunning = false;
  /** What this run does with resources whose outputs others reference. */
  readonly outputChanges = new OutputChanges();
  readonly replacements = new Replacements();
  /** What its resources share beyond that, by class. */
  readonly scope = new RunScope();
  readonly requests: ObservedRequests;
  private readonly kindByName = new Map<string, KindRun>();
  private readonly seenTexts = new Set<string>();
  private readonly reporterByCause = new Map<string, string>();

  /** @param objects By default, those of a run in one process. @param trace Default: nothing is recorded. */
  constructor(
    readonly objects: ManagedObjects = new ManagedObjects(),
    readonly trace: Trace = NO_TRACE,
  ) {
    this.requests = new ObservedRequests(trace);
  }

  /** @param address The address of the engine; without one, there is no other process. */
  static of(address: string | undefined, trace?: Trace): RunState {
    return new RunState(new ManagedObjects(address === undefined ? undefined : new RunFolder(address)), trace);
  }

  kind(name: string): KindRun {
    const kind = this.kindByName.get(name) ?? new KindRun();
    this.kindByName.set(name, kind);
    return kind;
  }

  /** Returns the clients of these settings, so that all kinds share the limits and caches of a server. */
  clients(settings: Settings, clock: Clock): Clients {
    // Loaded on demand: undici is slow to load, and a preview does not need it.
    const { ClientPool } = require("../../api/clients") as typeof import("../../api/clients");
    return this.scope.get(ClientPool).get(settings, clock, this.requests.observer(settings));
  }

  /** Closes the connections of this run, after the requests that are under way. */
  close(): Promise<void> {
    return this.scope.close();
  }

  isFirstOccurrence(text: string): boolean {
    if (this.seenTexts.has(text)) return false;
    this.seenTexts.add(text);
    return true;
  }

  /** Returns the other resource that reported this cause first; undefined when this one did. */
  reportedBy(cause: string, resource: string): string | undefined {
    const reporter = this.reporterByCause.get(cause) ?? resource;
    this.reporterByCause.set(cause, reporter);
    return reporter === resource ? undefined : reporter;
  }
}

export class KindRun {
  /** IDs of objects that are in the stack's state. */
  readonly managedIds = new Set<string>();
  private readonly resourceByUrn = new Map<string, ResourceRun>();
  private readonly urnByClaim = new Map<string, string>();

  /** @param facts The engine passes no URN for what `pulumi import --file` reads. */
  resource({ urn = "" }: Facts): ResourceRun {
    const resource = this.resourceByUrn.get(urn) ?? new ResourceRun();
    this.resourceByUrn.set(urn, resource);
    return resource;
  }

  /** Notes the unique values of a resource. @returns The URN of another one of this run with the same values. */
  claim({ urn }: Facts, claim: string | undefined): string | undefined {
    // `pulumi import --file` passes no URN and creates nothing.
    if (urn === undefined) return undefined;
    const resource = this.resource({ urn });
    if (resource.claim !== undefined && this.urnByClaim.get(resource.claim) === urn)
      this.urnByClaim.delete(resource.claim);
    resource.claim = claim;
    if (claim === undefined) return undefined;
    const claimedBy = this.urnByClaim.get(claim);
    if (claimedBy === undefined) this.urnByClaim.set(claim, urn);
    return claimedBy;
  }
}

/** An object that the engine read by its ID: for an import, or only to look at it. */
export interface FoundById {
  id: string;
  /** What to warn of when the program imports it. */
  warnings: readonly string[];
  /** Why the program must not import it. */
  problem?: string | undefined;
}

/** What a run knows of one resource; methods have the names of the engine's calls, each with a part of it. */
export class ResourceRun {
  private name: unknown;
  /** The unique values that its inputs claim, see `unique` of a definition. */
  claim?: string | undefined;
  /** Whether the program declares it: a refresh calls diff without a check, and changes nothing. */
  isChecked = false;
  /** Whether `pulumi import --file` created its state, without the internal inputs that only a program provides. */
  private isImportedWithoutInputs = false;
  /** Whether the inputs of the last check are those in state, which a change may not have reached. */
  hasSameInputs = false;
  /** What the program said in the last check, such as its options, which diff, create and update do not receive. */
  declared: RequestFacts | undefined;
  /** A diff replaces it. The engine diffs the dependents of a replaced resource before it checks them. */
  private isReplacing = false;
  /** The object that the engine read by its ID, until a check shows that the program imports it. */
  foundById: FoundById | undefined;
  /** What its server lacks, as its state knows: a replacement creates without that state. */
  routes: readonly string[] | undefined;

  /**
   * @returns Whether this is the second check of a replacement, which the engine repeats without old inputs; the name
   * in state, also then; and the object that the resource imports, once.
   */
  checked(declared: RequestFacts, previous: Facts, name: unknown) {
    const { isReplacing: isReplacementCheck, foundById: found } = this;
    this.isReplacing = false;
    this.foundById = undefined;
    this.isChecked = true;
    this.name = name ?? this.name;
    this.declared = declared;
    this.isImportedWithoutInputs ||= previous.provider !== undefined && previous.urn === undefined;
    return { isReplacementCheck, nameInState: this.name, found };
  }

  diffed({ routes }: Facts, isReplaced: boolean): void {
    this.isReplacing ||= isReplaced;
    this.routes = routes ?? this.routes;
  }

  /** Whether the engine does not see in the inputs that they differ from state. */
  get isUnseen(): boolean {
    return this.isImportedWithoutInputs || (this.hasSameInputs && this.isChecked);
  }

  /** Returns options of the program to store in outputs: state keeps them, and no preview lists them. */
  outputFacts(): RequestFacts {
    if (!this.declared) return {};
    const { timeouts = {}, secretInputs = [] } = this.declared;
    return { customTimeouts: timeouts, ...(secretInputs.length > 0 && { secretInputs }) };
  }
}
