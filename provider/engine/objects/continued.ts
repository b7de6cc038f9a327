/**
 * Objects that the engine replaces although they only moved. What is declared on a deployment moves with its conversations. Newer
 * engines replace what has the resource option `deletedWith` together with the deployment, and older ones what has `replaceWith`:
 * without a comparison, in which the definition would say that it stays. Its delete would destroy what has moved.
 */
import type { Definition } from "../../definition/definition";
import { planChange } from "../../plan/plan-change";
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
  const { container } = definition.schema;
  const { replacements, objects } = run;
  const desired = replacements.desiredInPlaceOf(object);
  if (definition.succession !== "container" || !container || !desired) return false;
  const before = object.state.properties;
  const to = objects.moves.from(before[container.id])?.to;
  if (to === undefined || desired.properties[container.id] !== to) return false;
  const { replace } = planChange(definition, before, desired.properties, {
    now: clock.now(),
    isRequestedByProgram: true,
    profile: session.settings.profile,
    moveFrom: (from) => objects.moves.from(from),
  });
  return replace === undefined;
}
