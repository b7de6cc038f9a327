/** Builds what the engine stores: inputs and outputs with marked secrets, and internal properties. */
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

export const withMarkedSecrets = (definition: Definition, properties: PropertyMap): PropertyMap =>
  markSecrets(properties, secretsOf(definition, properties));

/** Returns the outputs to store in state. */
export function outputsOf(
  definition: Definition,
  inputs: PropertyMap,
  state: PropertyMap,
  internal: InternalProperties,
  session: ProviderSession,
): PropertyMap {
  const { properties: outputs, internal: reported } = splitInternal(state);
  const all = { ...inputs, ...outputs };
  const providerKeys = {
    ...(reported.__notReturned && { __notReturned: reported.__notReturned }),
    __import: undefined,
    __external: undefined,
    __unready: undefined,
    __schema: SCHEMA,
    __server: session.server(state, definition.endpointFromInputs?.(all)),
  };
  return serialize({ ...withMarkedSecrets(definition, all), ...internal, ...providerKeys });
}

type RemoteState = Pick<PartialStateError, "inputs" | "state" | "missingRoutes">;

/**
 * Waits until the created or changed object is live, and returns the outputs.
 * @throws InitError with the ID and the remote state: from here on every failure must keep the ID.
 */
export async function awaitReady(
  definition: Definition,
  result: CreateResult<PropertyMap>,
  inputs: PropertyMap,
  internal: InternalProperties,
  session: ProviderSession,
): Promise<PropertyMap> {
  const outputs = (known: PropertyMap, state: PropertyMap, keys: InternalProperties) =>
    outputsOf(definition, known, state, keys, session);
  const marked = { ...internal, ...(result.marker !== undefined && { __owner: result.marker }) };
  const owned = withRoutes(marked, result.missingRoutes ?? internal.__routes);
  try {
    if (!result.ready) return outputs(result.confirmed ?? inputs, result.state, owned);
    return outputs(inputs, await result.ready(), owned);
  } catch (error) {
    session.recordFailure();
    // Unconfirmed inputs are not recorded, so that the next run sends them.
    const remote: RemoteState =
      error instanceof PartialStateError ? error : { inputs: result.confirmed ?? inputs, state: result.state };
    const known = withRoutes(owned, remote.missingRoutes ?? owned.__routes);
    const failedOutputs = outputs(splitInternal(remote.inputs).properties, remote.state, known);
    const reason = error instanceof Error ? error.message : String(error);
    throw new InitError(result.id, { ...failedOutputs, __unready: true }, reason, error);
  }
}
