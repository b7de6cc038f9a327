/**
 * Protects objects from deletions of a replacement that the engine requests without asking diff, by `--replace` or
 * `pulumi state taint`: it creates the new object first, and that create may find the old one.
 */
import type { Definition } from "../definition/definition";
import { OwnershipError, REPLACE_HINT } from "../definition/ownership";
import type { PlanMemory } from "./plan-memory";

/**
 * Returns why an object is kept that the engine wants to delete; undefined when it may be deleted.
 * @throws OwnershipError when this run created or resumed it.
 */
export function keptObject({ kind }: Definition, id: string, memory: PlanMemory): string | undefined {
  if (memory.hasCreated(id)) {
    throw new OwnershipError(
      `${kind} ${id} was created earlier in this run; refusing to delete it, because the engine mistook it for the resource being replaced. Nothing was lost.\n${REPLACE_HINT}\nThen run \`pulumi up\` again.`,
    );
  }
  if (!memory.isKept(id)) return undefined;
  return `${kind} ${id} was not deleted, because the program still declares it. An earlier run did not replace it, and the pending deletion was removed from state.`;
}
