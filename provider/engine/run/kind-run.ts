/** What a run knows of the resources of one kind. */
import type { Facts } from "../../plan/facts";
import { ResourceRun } from "./resource-run";

export class KindRun {
  /** Number of created or changed objects that did not become live. */
  failureCount = 0;
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

  /**
   * Notes the unique values of a resource, in place of those that it had.
   * @returns The URN of another resource of this run with the same values.
   */
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
