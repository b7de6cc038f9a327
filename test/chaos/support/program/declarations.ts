import type { Registered } from "../engine/engine";
import { type ResourceSpec, SLOTS, type Slot } from "../kinds";
import type { Surroundings } from "../kinds/kind";
import { identityOf, isInside } from "./names";
import { declare } from "./program";
import type { ProviderName, Schedule } from "./schedule";
import { isDeletedWithDeployment, nameInside, type ServiceSlot, serviceSlotOf } from "./services";

interface LogicalName {
  name: string;
  /** Earlier names that the program declares. */
  aliases: string[];
}

/** What the program declares now, with logical names, aliases, services and imports. */
export class Declarations {
  /** ID of the object that a resource imports. */
  readonly imports = new Map<Slot, string>();
  private readonly providers = new Map<Slot, ProviderName>();
  private readonly bySlot = new Map<Slot, ResourceSpec>();
  /** What the program calls each resource: its name, or its key in a service. */
  private readonly keys = new Map<Slot, string>();
  /** The name of the service of a deployment. */
  private readonly services = new Map<Slot, string>();
  private readonly names = new Map<Slot, LogicalName>();
  /** Whose name each was, also long ago. */
  private readonly slots = new Map<string, Slot>();
  /** Whether the program ever had a service. */
  hadService = false;

  private readonly provider: ProviderName;

  constructor({ program, services = [], provider = "default" }: Pick<Schedule, "program" | "services" | "provider">) {
    this.provider = provider;
    for (const slot of services) this.services.set(slot, `${slot}-service`);
    for (const spec of program) this.bySlot.set(spec.slot, spec);
    this.nameAll({ alias: true });
  }

  get specs(): ResourceSpec[] {
    return SLOTS.flatMap((slot) => this.bySlot.get(slot) ?? []);
  }

  set(spec: ResourceSpec): void {
    this.bySlot.set(spec.slot, spec);
    this.nameAll({ alias: true });
  }

  /** Removes a resource, unless it is the last one; a deployment, with its service. */
  remove(slot: Slot): void {
    if (this.bySlot.size === 1) return;
    this.bySlot.delete(slot);
    this.services.delete(slot);
    this.nameAll({ alias: true });
  }

  /** Returns the slot if it is declared; otherwise one that is, so that every step of a schedule has a meaning. */
  slotFor(slot: Slot): Slot {
    if (this.bySlot.has(slot)) return slot;
    const declared = [...this.bySlot.keys()];
    return declared[SLOTS.indexOf(slot) % declared.length] ?? slot;
  }

  nameOf(slot: Slot): LogicalName {
    return this.names.get(slot) ?? { name: slot, aliases: [] };
  }

  /** Returns the slot of a name that a resource has or had. */
  slotOf(name: string): Slot {
    return this.slots.get(name) ?? (name as Slot);
  }

  /** Moves a deployment, and what can be with it, into a service or out of it. */
  setService(slot: ServiceSlot, { exists, alias }: { exists: boolean; alias: boolean }): void {
    if (exists) this.services.set(slot, this.services.get(slot) ?? `${slot}-service`);
    else this.services.delete(slot);
    this.nameAll({ alias });
  }

  /** Gives a resource another logical name; a deployment in a service, its service. */
  rename(slot: Slot, { alias }: { alias: boolean }): void {
    const service = this.services.get(slot);
    if (service === undefined) this.keys.set(slot, nextName(this.keys.get(slot) ?? slot));
    else this.services.set(slot, nextName(service));
    this.nameAll({ alias });
  }

  /** Gives a resource an earlier name again, in or out of a service. */
  restoreName(slot: Slot, name: string): void {
    if (isInside(name)) this.services.set(slot, identityOf(name).name);
    else {
      this.services.delete(slot);
      this.keys.set(slot, name);
    }
    this.nameAll({ alias: true });
    this.names.set(slot, { name: this.nameOf(slot).name, aliases: [] });
  }

  isInService(slot: Slot): boolean {
    return isInside(this.nameOf(slot).name);
  }

  /** All resources of a service have one provider. */
  setProvider(slot: Slot, provider: ProviderName): void {
    this.providers.set(this.serviceSlot(slot) ?? slot, provider);
  }

  /** Adds all earlier names as aliases. */
  addAliases(slot: Slot): void {
    const { name } = this.nameOf(slot);
    const all = [...this.slots].filter(([other, owner]) => owner === slot && other !== name);
    this.names.set(slot, { name, aliases: all.map(([other]) => other).reverse() });
  }

  /** Returns the program as it is registered with the engine. */
  register(surroundings: Surroundings): Registered[] {
    return declare(this.specs, surroundings).map(({ references, ...declared }) => {
      const { slot } = declared;
      const service = this.serviceSlot(slot);
      const deletedWith = service && isDeletedWithDeployment(slot) ? this.nameOf(service).name : undefined;
      return {
        ...declared,
        ...this.nameOf(slot),
        import: this.imports.get(slot),
        provider: this.providers.get(service ?? slot) ?? this.provider,
        ...(deletedWith && { deletedWith }),
        references: Object.fromEntries(
          Object.entries(references).map(([input, { slot: other, output }]) => [
            input,
            { name: this.nameOf(other as Slot).name, output },
          ]),
        ),
      };
    });
  }

  /** The deployment of the service that contains a resource. */
  private serviceSlot(slot: Slot): ServiceSlot | undefined {
    const service = serviceSlotOf(this.bySlot.get(slot), this.bySlot);
    return service && this.services.has(service) ? service : undefined;
  }

  /**
   * Gives each resource the name that follows from where it is declared.
   * @param alias Whether an earlier one is an alias.
   */
  private nameAll({ alias }: { alias: boolean }): void {
    for (const slot of this.bySlot.keys()) {
      const service = this.serviceSlot(slot);
      if (service) this.hadService = true;
      const key = this.keys.get(slot) ?? slot;
      const name = service ? nameInside(this.services.get(service) ?? "", slot, key) : key;
      const before = this.names.get(slot);
      if (before?.name === name) continue;
      this.names.set(slot, { name, aliases: before && alias ? [before.name, ...before.aliases] : [] });
      for (const known of [name, identityOf(name).name]) this.slots.set(known, slot);
    }
  }
}

/** Returns the same name with the next number. */
const nextName = (name: string): string => `${name.replace(/-\d+$/, "")}-${Number(/-(\d+)$/.exec(name)?.[1] ?? 0) + 1}`;
