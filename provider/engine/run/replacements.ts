/**
 * The creates that a run plans. What the engine deletes before such a create is replaced: the old object first, and
 * before it what depends on it. Each of these deletes first verifies that the new object can be created.
 */
import type { ResourceData } from "../../plan/facts";

/** An object in state that the engine deletes. */
export interface ReplacedObject {
  id: string;
  state: ResourceData;
}

export interface PlannedCreate {
  desired: ResourceData;
  /** Verifies that the create can follow the delete of the object. @throws Error with why not. */
  verify(object: ReplacedObject, desired: ResourceData): Promise<void>;
  /** The object that it replaces. Not known before its delete for `--replace` and `pulumi state taint`. */
  object?: ReplacedObject | undefined;
  /** The old values that cause the replacement: those of references are the ID or an output of another resource. */
  causes?: readonly unknown[] | undefined;
}

interface Planned extends PlannedCreate {
  /** The object that the create continues with, although the engine deletes it. */
  continued?: ReplacedObject;
  /** Verified once: what the run deletes meanwhile would change the result. */
  verified?: Promise<void>;
  deletedId?: string;
}

export class Replacements {
  private readonly byUrn = new Map<string, Planned>();

  /** Notes a create. A later call corrects the inputs: those that depend on a replaced resource are known later. */
  plan(urn: string, create: PlannedCreate): void {
    const { object, causes, deletedId } = this.byUrn.get(urn) ?? {};
    this.byUrn.set(urn, { object, causes, ...create, ...(deletedId !== undefined && { deletedId }) });
  }

  /** Runs a delete; when a create of the same resource follows, only after it and those that cause it were verified. */
  async during<T>(object: ReplacedObject, remove: () => Promise<T>): Promise<T> {
    const planned = this.plannedFor(object);
    if (planned) await this.verify(planned, object);
    const result = await remove();
    if (planned) planned.deletedId = object.id;
    return result;
  }

  /** Returns what the program declares in place of an object that the engine replaces without a comparison. */
  desiredInPlaceOf({ state }: ReplacedObject): ResourceData | undefined {
    const planned = this.byUrn.get(state.facts.urn ?? "");
    return planned?.object ? undefined : planned?.desired;
  }

  /** Notes that an object was not deleted, since the create of the same resource continues with it. */
  continueWith(object: ReplacedObject): void {
    const planned = this.byUrn.get(object.state.facts.urn ?? "");
    if (planned) planned.continued = object;
  }

  /** Returns the object that a create continues with, which begins now, once. */
  continuedBy(urn = ""): ReplacedObject | undefined {
    const continued = this.byUrn.get(urn)?.continued;
    if (continued) this.byUrn.delete(urn);
    return continued;
  }

  /** Returns the ID of the object that was deleted for a create, which begins now, once. */
  deletedBy(urn = ""): string | undefined {
    const planned = this.byUrn.get(urn);
    this.byUrn.delete(urn);
    return planned?.deletedId;
  }

  /** State of a renamed resource may have its old URN. */
  private plannedFor({ id, state }: ReplacedObject): Planned | undefined {
    return this.byUrn.get(state.facts.urn ?? "") ?? [...this.byUrn.values()].find((one) => one.object?.id === id);
  }

  private async verify(planned: Planned, object: ReplacedObject, pending: readonly Planned[] = []): Promise<void> {
    for (const source of this.byUrn.values())
      if (source !== planned && !pending.includes(source) && source.object && isCause(source.object, planned))
        await this.verify(source, source.object, [...pending, planned]);
    planned.verified ??= planned.verify(object, planned.desired);
    await planned.verified;
  }
}

/** Whether the ID or an output of the object causes the replacement. */
function isCause({ id, state }: ReplacedObject, { causes = [] }: Planned): boolean {
  const values = new Set<unknown>([id.toLowerCase(), ...Object.values(state.properties)]);
  const isText = (cause: unknown): cause is string => typeof cause === "string" && cause !== "";
  return causes.some((cause) => isText(cause) && (values.has(cause) || values.has(cause.toLowerCase())));
}
