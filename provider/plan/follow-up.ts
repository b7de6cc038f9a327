/** What an update does beyond its changes: it continues what the last one left, and checks follow a new revision. */
import { valueAt } from "../schema/schema";
import type { Change } from "./diff";
import { containsUnknown } from "./property-values";
import type { Impact } from "./render";

/** Of an operation on the whole object, which no single input causes. */
export const WHOLE = { paths: [], certain: true };

/** Adds to a new revision, as to a create, what follows it. @param note In a few words; undefined for nothing. */
export function withChecks(note: string | undefined, { after }: Change, updates: readonly Impact[]): Impact[] {
  const makesRevision = updates.some(({ effect, certain }) => effect === "newRevision" && certain);
  const changed = updates.find(({ effect }) => effect === "verification");
  const rest = makesRevision ? updates.filter((update) => update !== changed) : updates;
  if (note === undefined) {
    // Without checks, none run; those that are unknown do.
    const isUnknown = changed?.paths.some((path) => containsUnknown(valueAt(after, path)));
    return updates.map((update) => (update === changed && !isUnknown ? { ...update, effect: "none" } : update));
  }
  const follows = makesRevision && changed ? `${note}, which changed` : note;
  return rest.map((update) =>
    update.effect === "newRevision" ? { ...update, note: [update.note, follows].filter(Boolean).join("; ") } : update,
  );
}

/** Adds what an update continues that the last one left unfinished, unless its changes have that effect anyway. */
export function withResume(updates: Impact[], resumed: Impact): Impact[] {
  const isCovered = updates.some(
    ({ effect, certain }) => certain && (effect === resumed.effect || effect === "newRevision"),
  );
  return resumed.effect === "none" || isCovered ? updates : [...updates, resumed];
}

/** Returns the impact of an update without differences after an unfinished run. */
export function explainResume({ definition, before }: Change): Impact {
  const resumed = definition.impact.onResume?.(before);
  return {
    ...{ effect: "inPlace", ...WHOLE, note: "continues what the last `pulumi up` started" },
    ...(resumed && { ...resumed, certain: resumed.effect !== "newRevision" }),
  };
}
