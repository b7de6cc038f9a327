/** What happens to the state of a program between its commands. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import type { Registered } from "../engine/engine";
import type { State } from "../engine/state";
import type { Slot } from "../kinds";
import type { Declarations } from "./declarations";
import type { ProviderName } from "./schedule";

/** Removes a resource from state, unless something in state depends on it: then Pulumi refuses. */
export function forget(state: State, declarations: Declarations, slot: Slot, isImported: boolean): void {
  const { name } = declarations.nameOf(slot);
  const entry = state.get(name);
  const isNeeded = [...state.values()].some(({ references }) =>
    Object.values(references).some((reference) => reference.name === name),
  );
  if (!entry || isNeeded) return;
  state.delete(name);
  if (isImported) declarations.imports.set(slot, entry.resource.id);
}

/** Declares an import of what the state has, under another name. Another name in a service would be the service's. */
export function importAgain(state: State, declarations: Declarations, slot: Slot, provider: ProviderName): void {
  const entry = state.get(declarations.nameOf(slot).name);
  if (!entry || declarations.isInService(slot)) return;
  declarations.rename(slot, { alias: false });
  declarations.setProvider(slot, provider);
  declarations.imports.set(slot, entry.resource.id);
}

/** Returns the inputs that a resource declares, with what state has of those that it refers to. */
export function inputsWith(
  state: State,
  { inputs, references }: Pick<Registered, "inputs" | "references">,
): PropertyMap {
  const values = Object.entries(references).map(([input, { name, output }]) => {
    const resource = state.get(name)?.resource;
    return [input, output === "id" ? resource?.id : resource?.outputs[output]];
  });
  return { ...inputs, ...Object.fromEntries(values) };
}
