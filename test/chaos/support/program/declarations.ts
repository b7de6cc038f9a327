import type { Registered } from "../engine/engine";
import { type ResourceSpec, SLOTS, type Slot } from "../kinds";
import type { Surroundings } from "../kinds/kind";
import { declare } from "./program";
import type { ProviderName, Schedule } from "./schedule";

interface LogicalName {
  name: string;
  /** Earlier names that the program declares. */
  aliases: string[];
}

/** What the program declares now, with logical names, aliases and imports. */
export class Declarations {
  /** ID of the object that a resource imports. */
  readonly imports = new Map<Slot, string>();
  private readonly providers = new Map<Slot, ProviderName>();
  private readonly bySlot = new Map<Slot, ResourceSpec>();
  private readonly names = new Map<Slot, LogicalName>();

  private readonly provider: ProviderName;

  constructor({ program, provider = "default" }: Pick<Schedule, "program" | "provider">) {
    this.provider = provider;
    for (const spec of program) this.set(spec);
  }

  get specs(): ResourceSpec[] {
    return SLOTS.flatMap((slot) => this.bySlot.get(slot) ?? []);
  }

  set(spec: ResourceSpec): void {
    this.bySlot.set(spec.slot, spec);
  }

  /** Removes a resource, unless it is the last one. */
  remove(slot: Slot): void {
    if (this.bySlot.size > 1) this.bySlot.delete(slot);
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

  /** Gives a resource another logical name. */
  rename(slot: Slot, { alias }: { alias: boolean }): void {
    const { name, aliases } = this.nameOf(slot);
    this.names.set(slot, { name: `${slot}-${renameCount(name) + 1}`, aliases: alias ? [name, ...aliases] : [] });
  }

  /** Gives a resource an earlier name again. */
  restoreName(slot: Slot, name: string): void {
    this.names.set(slot, { name, aliases: [] });
  }

  setProvider(slot: Slot, provider: ProviderName): void {
    this.providers.set(slot, provider);
  }

  /** Adds all earlier names as aliases. */
  addAliases(slot: Slot): void {
    const { name } = this.nameOf(slot);
    const aliases = Array.from({ length: renameCount(name) }, (_, index) => (index === 0 ? slot : `${slot}-${index}`));
    this.names.set(slot, { name, aliases: aliases.reverse() });
  }

  /** Returns the program as it is registered with the engine. */
  register(surroundings: Surroundings): Registered[] {
    return declare(this.specs, surroundings).map(({ references, ...declared }) => ({
      ...declared,
      ...this.nameOf(declared.slot),
      import: this.imports.get(declared.slot),
      provider: this.providers.get(declared.slot) ?? this.provider,
      references: Object.fromEntries(
        Object.entries(references).map(([input, { slot, output }]) => [
          input,
          { name: this.nameOf(slot as Slot).name, output },
        ]),
      ),
    }));
  }
}

const renameCount = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
/** Returns the slot of a logical name. */
export const slotOf = (name: string): Slot => name.replace(/-\d+$/, "") as Slot;
