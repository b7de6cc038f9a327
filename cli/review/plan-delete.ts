/** The impact of a delete, of which a preview of the provider knows nothing: the engine asks it only to delete. */
import type { Definition } from "../../provider/definition/definition";
import { successionOf } from "../../provider/definition/moves";
import { WHOLE } from "../../provider/plan/follow-up";
import type { Impact } from "../../provider/plan/render";
import type { PropertyMap } from "../../provider/schema/schema";

/** @param isRetained Whether `retainOnDelete` keeps the object. */
export function planDelete(definition: Definition, previous: PropertyMap, isRetained: boolean): Impact {
  if (isRetained) return { effect: "drop", ...WHOLE, note: "it stays on the server (retainOnDelete)" };
  const { loses, onDelete } = definition.impact;
  const kept = successionOf(definition)?.keepsOnDelete(previous);
  const notes = [kept, typeof onDelete === "function" ? onDelete(previous) : onDelete].filter((note) => note != null);
  return {
    ...{ effect: "delete", ...WHOLE },
    ...(loses !== null && kept === undefined && { loses }),
    ...(notes.length > 0 && { note: notes.join("; ") }),
  };
}
