/**
 * Objects that the engine replaces although they only moved with the conversations of their deployment, because of the
 * options `deletedWith` (newer engines) or `replaceWith` (older ones): without a comparison, in which the definition
 * would say that it stays. Its delete would destroy what has moved.
 */
import type { Definition } from "../../definition/definition";
import { movesWithContainer, planChange } from "../../plan/plan-change";
import type { Environment } from "../host/environment";
import type { ReplacedObject } from "../run/replacements";
import type { ProviderSession } from "../session";

/** Whether the create of the same resource wants the very object, which is in the new container already. */
export function isContinued(
  definition: Definition,
  object: ReplacedObject,
  session: ProviderSession,
  { clock, run }: Environment,
): boolean {
  const desired = run.replacements.desiredInPlaceOf(object);
  if (!desired) return false;
  const [before, after] = [object.state.properties, desired.properties];
  const moveFrom = (from: unknown) => run.objects.moves.from(from);
  if (!movesWithContainer(definition, before, after, { moveFrom })) return false;
  const { profile } = session.settings;
  const options = { now: clock.now(), isRequestedByProgram: true, profile, moveFrom };
  return planChange(definition, before, after, options).replace === undefined;
}
