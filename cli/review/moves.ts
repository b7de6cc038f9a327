/**
 * The deployments of a plan whose conversations move to another one, and what the program declares on them with them.
 */
import { type Move, Moves, successionOf } from "../../provider/definition/moves";
import { splitFacts } from "../../provider/plan/facts";
import type { Step } from "./preview/preview-json";
import { definitionOf, opOf } from "./preview/step";

/** Returns where the content of an object moves, by its ID. */
export function movesIn(steps: readonly Step[]): (id: unknown) => Move | undefined {
  const moves = new Moves();
  for (const step of steps) {
    const { urn, id, before, after } = step;
    const definition = definitionOf(step);
    const succession = definition && successionOf(definition);
    if (!succession || id === undefined || !before || !after) continue;
    const previous = splitFacts(before.outputs).properties;
    const { properties: inputs } = splitFacts(after.inputs);
    const earlier = succession.earlierIds(previous);
    if (opOf(step) === "replace" && succession.keeps({ previous, inputs })) moves.note({ urn, from: [...earlier, id] });
    else if (earlier.length > 0) moves.note({ urn, from: earlier, to: id });
  }
  return (id) => moves.from(id);
}
