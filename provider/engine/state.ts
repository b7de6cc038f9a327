/** Builds what the engine stores: inputs and outputs with marked secrets, and facts about the object. */
import { type Definition, secretsOf } from "../definition/definition";
import { type CreateResult, PartialStateError } from "../definition/results";
import { type Facts, type ResourceData, SCHEMA } from "../plan/facts";
import { InitError, markSecrets, serialize } from "../plan/property-values";
import type { PropertyMap } from "../schema/schema";
import { withRoutes } from "./missing-routes";
import type { ProviderSession } from "./session";

export const withMarkedSecrets = (definition: Definition, properties: PropertyMap): PropertyMap =>
  markSecrets(properties, secretsOf(definition, properties));

/** Returns the outputs to store in state. */
export function outputsOf(
  definition: Definition,
  { inputs, state, notReturned }: RemoteContent,
  { import: _import, external: _external, unready: _unready, ...facts }: Facts,
  session: ProviderSession,
): ResourceData {
  const all = { ...inputs, ...state };
  return {
    properties: serialize(withMarkedSecrets(definition, all)),
    facts: {
      ...facts,
      ...(notReturned && { notReturned }),
      schema: SCHEMA,
      server: session.server(state, definition.endpointFromInputs?.(all)),
    },
  };
}

/** What the server has, in terms of inputs and outputs. */
interface RemoteContent {
  inputs: PropertyMap;
  state: PropertyMap;
  notReturned?: readonly string[] | undefined;
}

/**
 * Waits until the created or changed object is live, and returns the outputs.
 * @throws InitError with the ID and the remote state: from here on every failure must keep the ID.
 */
export async function awaitReady(
  definition: Definition,
  result: CreateResult<PropertyMap>,
  inputs: PropertyMap,
  facts: Facts,
  session: ProviderSession,
): Promise<ResourceData> {
  const marked = { ...facts, ...(result.marker !== undefined && { owner: result.marker }) };
  const owned = withRoutes(marked, result.missingRoutes ?? facts.routes);
  const unconfirmed = { inputs: result.confirmed ?? inputs, state: result.state };
  try {
    const content = result.ready ? { inputs, ...(await result.ready()) } : unconfirmed;
    const outputs = outputsOf(definition, content, owned, session);
    return result.unready ? { ...outputs, facts: { ...outputs.facts, unready: true } } : outputs;
  } catch (error) {
    session.recordFailure();
    // Unconfirmed inputs are not recorded, so that the next run sends them.
    const isPartial = error instanceof PartialStateError;
    const { inputs: sent, state } = isPartial ? error : unconfirmed;
    const known = withRoutes(owned, (isPartial ? error.missingRoutes : undefined) ?? owned.routes);
    const outputs = outputsOf(definition, { inputs: sent, state }, known, session);
    const reason = error instanceof Error ? error.message : String(error);
    throw new InitError(result.id, { ...outputs, facts: { ...outputs.facts, unready: true } }, reason, error);
  }
}
