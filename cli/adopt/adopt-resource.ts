/** Discovers, reads and names the resources to adopt. Read-only. */
import { realClock } from "../../provider/http/clock";
import type { Config } from "../shared/pulumi/stack-config";
import { isListedByDefault, ResourceFinder } from "./discover";
import { cautionsAbout } from "./managed-projects";
import type { Language } from "./program/language";
import { Names } from "./program/names";
import { groupIntoServices } from "./program/services";
import { createReader, type ReadOutcome } from "./read-resource";
import type { TerraformEntry } from "./terraform";
import {
  type Adopted,
  type Candidate,
  definitionOf,
  definitionsByKind,
  type Filter,
  type ListResult,
  type Skipped,
} from "./types";

export interface AdoptionResult {
  all: Adopted[];
  skipped: Skipped[];
  notes: string[];
  /** What to check before the import. */
  cautions: string[];
  /** Terraform addresses of the adopted resources. */
  terraform: string[];
  names: Names;
}

/** @param entries Entries of a Terraform state: if given, only these are adopted. */
export async function discoverResources(
  filter: Filter,
  entries: readonly TerraformEntry[] | undefined,
  config: Config,
  { naming, problemOf }: Pick<Language, "naming" | "problemOf">,
): Promise<AdoptionResult> {
  const notes = new Set<string>();
  const { includeOwned } = filter;
  const { read, managedProjects } = createReader({
    config,
    clock: realClock,
    includeOwned,
    note: (text) => notes.add(text),
  });
  const finder = new ResourceFinder(filter, config);
  const skipped: Skipped[] = [];
  const terraformFilter = new TerraformFilter(entries);
  const readAll = async (...lists: ListResult[]) => {
    const accepted = lists.flatMap(({ candidates }) => candidates.flatMap((one) => terraformFilter.accept(one) ?? []));
    skipped.push(...lists.flatMap((list) => list.skipped.filter(({ id }) => terraformFilter.includes(id))));
    const results: ReadOutcome[] = await Promise.all(accepted.map(read));
    const checked = results.map((result) => ("adopted" in result ? skipUnsupported(result, problemOf) : result));
    skipped.push(...checked.flatMap((result) => ("skipped" in result ? [result.skipped] : [])));
    return checked.flatMap((result) => ("adopted" in result ? [result.adopted] : []));
  };
  // Deployments first: exports are named after the deployments whose projects they export.
  const deployments = await readAll(await finder.deployments());
  const projects = deployments.map(({ outputs, title }): [string, string] => [String(outputs.tracingProjectId), title]);
  const cautions: string[] = [];
  const managed = async () => {
    const found = await managedProjects();
    if (found.caution !== undefined) cautions.push(found.caution);
    return found;
  };
  const tracing = await finder.tracingResources(new Map(projects), managed);
  const agents = await finder.agentResources();
  const others = await readAll(...tracing, ...agents);
  const names = new Names(naming);
  const requestedDeployments = filter.only.includes("deployments") ? deployments : [];
  const kindOrder = [...definitionsByKind().keys()];
  const sorted = [...requestedDeployments, ...others].sort(
    (a, b) =>
      kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || compareText(a.title, b.title) || compareText(a.id, b.id),
  );
  // Deployments get the plain names, since other resources are named after them.
  const resourceNames = new Map(
    [...sorted]
      .sort((a, b) => Number(b.kind === "deployments") - Number(a.kind === "deployments"))
      .map((one) => [one, names.nameResource(one.title, definitionOf(one.kind).adopt.noun)]),
  );
  const named = sorted.map((one) => ({ ...one, ...(resourceNames.get(one) as ReturnType<Names["nameResource"]>) }));
  const all = filter.components ? groupIntoServices(named) : named;
  return {
    all,
    skipped,
    names,
    cautions: [...cautionsAbout(all, finder.ownership.cautions), ...cautions],
    notes: [...finder.notes, ...notes, ...terraformFilter.describeMissing(finder.isComplete)],
    terraform: terraformFilter.addressesOf(all),
  };
}

/** Skips a resource that programs in the language cannot declare. */
function skipUnsupported(
  result: Extract<ReadOutcome, { adopted: unknown }>,
  problemOf: Language["problemOf"],
): ReadOutcome {
  const { kind, id, title, inputs } = result.adopted;
  const reason = problemOf?.(inputs);
  return reason === undefined ? result : { skipped: { kind, id, title, reason } };
}

/** Returns the kinds that are adopted by default: `deployment, destination, export or schedule`. */
function defaultKindNames(): string {
  const all = [...definitionsByKind().values()].filter(isListedByDefault).map(({ adopt }) => adopt.noun);
  return `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Limits adoption to the entries of a Terraform state; without a state, accepts everything. */
class TerraformFilter {
  private readonly matchedIds = new Map<TerraformEntry, string>();

  constructor(private readonly entries: readonly TerraformEntry[] | undefined) {}

  includes(id: string): boolean {
    return this.entries === undefined || this.entryFor(id) !== undefined;
  }

  /** Returns the candidate if it may be adopted, named as in Terraform if the server keeps no name for it. */
  accept(candidate: Candidate): Candidate | undefined {
    const entry = this.entryFor(candidate.id);
    if (!this.entries || !entry) return this.entries ? undefined : candidate;
    const { isNamed } = definitionOf(candidate.kind).adopt;
    return isNamed ? candidate : { ...candidate, title: entry.name };
  }

  addressesOf(all: readonly Adopted[]): string[] {
    const ids = new Set(all.map(({ id }) => id.toLowerCase()));
    return [...this.matchedIds].filter(([, id]) => ids.has(id)).map(([{ address }]) => address);
  }

  /**
   * Returns a note about the entries that were not found.
   * @param isComplete Whether every kind on the server was listed.
   */
  describeMissing(isComplete: boolean): string[] {
    const missing = (this.entries ?? []).filter((entry) => !this.matchedIds.has(entry));
    if (missing.length === 0) return [];
    const list = missing.map(({ address, ids: [id] }) => `${address} (ID ${id})`).join(", ");
    const where = isComplete ? `on this server as a ${defaultKindNames()}` : "among the requested resources";
    return [`Not found ${where}: ${list}.`];
  }

  private entryFor(id: string): TerraformEntry | undefined {
    const lowerCaseId = id.toLowerCase();
    const entry = this.entries?.find(({ ids }) => ids.includes(lowerCaseId));
    if (entry) this.matchedIds.set(entry, lowerCaseId);
    return entry;
  }
}
