/** Discovers, reads and names the resources to adopt. Read-only. */
import { realClock } from "../../provider/http/clock";
import type { Config } from "../shared/stack-config";
import { type Filter, Finder, type Listed } from "./discover";
import { Names } from "./names";
import { type Read, reader } from "./read-resource";
import type { Claim } from "./terraform";
import { type Adopted, type Candidate, definitionOf, isFoundUnasked, kinds, type LeftOut } from "./types";

export interface Taken {
  all: Adopted[];
  left: LeftOut[];
  notes: string[];
  /** Terraform addresses of the adopted resources. */
  terraform: string[];
  names: Names;
}

/** @param claims Entries of a Terraform state: if given, only these are adopted. */
export async function take(filter: Filter, claims: readonly Claim[] | undefined, config: Config): Promise<Taken> {
  const notes = new Set<string>();
  const { includeOwned } = filter;
  const read = reader({ config, clock: realClock, includeOwned, note: (text) => notes.add(text) });
  const finder = new Finder(filter, config);
  const left: LeftOut[] = [];
  const claimed = new Claimed(claims);
  const readAll = async (...lists: Listed[]) => {
    const wanted = lists.flatMap(({ candidates }) => candidates.flatMap((one) => claimed.take(one) ?? []));
    left.push(...lists.flatMap((list) => list.left.filter(({ id }) => claimed.holds(id))));
    const results: Read[] = await Promise.all(wanted.map(read));
    left.push(...results.flatMap((result) => ("left" in result ? [result.left] : [])));
    return results.flatMap((result) => ("adopted" in result ? [result.adopted] : []));
  };
  // Deployments first: exports are named after the deployments whose projects they export.
  const deployments = await readAll(await finder.deployments());
  const projects = deployments.map(({ outputs, title }): [string, string] => [String(outputs.tracingProjectId), title]);
  const others = await readAll(...(await finder.onTracing(new Map(projects))), await finder.threads());
  const names = new Names();
  const shown = filter.only.includes("deployments") ? deployments : [];
  const order = [...kinds().keys()];
  const inOrder = [...shown, ...others].sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || compare(a.title, b.title) || compare(a.id, b.id),
  );
  // Deployments get the plain names, since other resources are named after them.
  const named = new Map(
    [...inOrder]
      .sort((a, b) => Number(b.kind === "deployments") - Number(a.kind === "deployments"))
      .map((one) => [one, names.resource(one.title, definitionOf(one.kind).adopt.singular)]),
  );
  const all = inOrder.map((one) => ({ ...one, ...(named.get(one) as ReturnType<Names["resource"]>) }));
  return {
    all,
    left,
    names,
    notes: [...finder.notes, ...notes, ...claimed.unknown(left, finder.lookedAtAll)],
    terraform: claimed.addressesOf(all),
  };
}

/** Returns the kinds that are adopted by default: `deployment, destination, export or schedule`. */
function sorts(): string {
  const all = [...kinds().values()].filter(isFoundUnasked).map(({ adopt }) => adopt.singular);
  return `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Limits adoption to the entries of a Terraform state; without a state, accepts everything. */
class Claimed {
  private readonly seen = new Map<Claim, string>();

  constructor(private readonly claims: readonly Claim[] | undefined) {}

  holds(id: string): boolean {
    return this.claims === undefined || this.claimOf(id) !== undefined;
  }

  /** Returns the candidate if it may be adopted, named as in Terraform if the server keeps no name for it. */
  take(candidate: Candidate): Candidate | undefined {
    const claim = this.claimOf(candidate.id);
    if (!this.claims || !claim) return this.claims ? undefined : candidate;
    const { isNamed } = definitionOf(candidate.kind).adopt;
    return isNamed ? candidate : { ...candidate, title: claim.name };
  }

  addressesOf(all: readonly Adopted[]): string[] {
    const ids = new Set(all.map(({ id }) => id.toLowerCase()));
    return [...this.seen].filter(([, id]) => ids.has(id)).map(([{ address }]) => address);
  }

  /**
   * Returns a note about the entries that were not found.
   * @param lookedAtAll Whether every kind on the server was listed.
   */
  unknown(left: readonly LeftOut[], lookedAtAll: boolean): string[] {
    const ids = new Set(left.map(({ id }) => id.toLowerCase()));
    const missing = (this.claims ?? []).filter(
      (claim) => !this.seen.has(claim) && !claim.ids.some((id) => ids.has(id)),
    );
    if (missing.length === 0) return [];
    const those = missing.map(({ address, ids: [id] }) => `${address} (ID ${id})`).join(", ");
    const where = lookedAtAll ? `on this server as a ${sorts()}` : "among the requested resources";
    return [`Not found ${where}: ${those}.`];
  }

  private claimOf(id: string): Claim | undefined {
    const wanted = id.toLowerCase();
    const claim = this.claims?.find(({ ids }) => ids.includes(wanted));
    if (claim) this.seen.set(claim, wanted);
    return claim;
  }
}
