/** What a handler returns for the engine to keep: inputs and outputs with their secrets marked, and the hidden keys. */
import { type Definition, secretsOf } from "../definition/definition";
import { type CreateResult, PartialStateError } from "../definition/results";
import {
  InitError,
  type InternalProperties,
  markSecrets,
  SCHEMA,
  serialize,
  splitInternal,
} from "../plan/property-values";
import type { PropertyMap } from "../schema/schema";
import { withRoutes } from "./route-memory";
import type { ProviderSession } from "./session";

export const withMarkedSecrets = (definition: Definition, bag: PropertyMap): PropertyMap =>
  markSecrets(bag, secretsOf(definition, bag));

/** The outputs that state keeps. */
export function outputsOf(
  definition: Definition,
  inputs: PropertyMap,
  state: PropertyMap,
  hidden: InternalProperties,
  session: ProviderSession,
): PropertyMap {
  const { properties: visible, internal: reported } = splitInternal(state);
  const all = { ...inputs, ...visible };
  const own = {
    ...(reported.__notReturned && { __notReturned: reported.__notReturned }),
    __import: undefined,
    __external: undefined,
    __unready: undefined,
    __schema: SCHEMA,
    __server: session.server(state, definition.endpointFromInputs?.(all)),
  };
  return serialize({ ...withMarkedSecrets(definition, all), ...hidden, ...own });
}

type Held = Pick<PartialStateError, "inputs" | "state" | "missingRoutes">;

/**
 * Waits until what was created or changed really works, and returns the outputs.
 * @throws InitError with the ID and what the server holds: from here on the ID exists, so every failure keeps it.
 */
export async function awaitReady(
  definition: Definition,
  made: CreateResult<PropertyMap>,
  inputs: PropertyMap,
  hidden: InternalProperties,
  session: ProviderSession,
): Promise<PropertyMap> {
  const outputs = (known: PropertyMap, state: PropertyMap, keys: InternalProperties) =>
    outputsOf(definition, known, state, keys, session);
  const marked = { ...hidden, ...(made.marker !== undefined && { __owner: made.marker }) };
  const owned = withRoutes(marked, made.missingRoutes ?? hidden.__routes);
  try {
    if (!made.ready) return outputs(made.confirmed ?? inputs, made.state, owned);
    return outputs(inputs, await made.ready(), owned);
  } catch (error) {
    session.countFailure();
    // What was not confirmed is not stated, so that the next run sends it.
    const held: Held =
      error instanceof PartialStateError ? error : { inputs: made.confirmed ?? inputs, state: made.state };
    const known = withRoutes(owned, held.missingRoutes ?? owned.__routes);
    const outs = outputs(splitInternal(held.inputs).properties, held.state, known);
    const reason = error instanceof Error ? error.message : String(error);
    throw new InitError(made.id, { ...outs, __unready: true }, reason, error);
  }
}
