/** The declarations of a program: what each resource of a schedule is declared as. */
import { kindOf, type ResourceSpec, SLOTS, type Slot } from "../kinds";
import type { Declaration, Surroundings } from "../kinds/kind";
import { secretOf } from "../kinds/values";

export interface Declared extends Required<Declaration> {
  slot: Slot;
  kind: string;
}

export const allSecrets = SLOTS.flatMap((slot) => [0, 1, 2].map((version) => secretOf(slot, version)));

/** Returns the declarations in an order in which each comes after what it refers to. */
export function declare(specs: readonly ResourceSpec[], around: Surroundings): Declared[] {
  const bySlot = new Map(specs.map((spec) => [spec.slot, spec]));
  return SLOTS.flatMap((slot) => {
    const spec = bySlot.get(slot);
    if (!spec) return [];
    const { slots, declare } = kindOf(slot);
    return { slot, kind: slots[slot] ?? "", references: {}, ...declare(spec, { bySlot, around }) };
  });
}
