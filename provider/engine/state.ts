/** Builds what the engine stores: inputs and outputs with marked secrets, and facts about the object. */
import { type Definition, endpointOf } from "../definition/definition";
import type { Observation } from "../definition/results";
import { type Facts, factsToStore, type ResourceData, SCHEMA, withRoutes } from "../plan/facts";
import { InitError, markSecrets, serialize } from "../plan/property-values";
import { idPropertyOf, possibleSecretPaths, secretPaths } from "../schema/fields";
import type { PropertyMap } from "../schema/schema";
import { messageOf } from "../text/user-error";
import type { StoredResource } from "./handlers";
import type { ProviderSession } from "./session";

export const withMarkedSecrets = (definition: Definition, properties: PropertyMap): PropertyMap =>
  markSecrets(properties, secretPaths(definition.schema, properties));

/** Marks what the program may declare sensitive as well: the engine stores what an import reads before it checks the program. */
export const withPossibleSecrets = ({ schema }: Definition, properties: PropertyMap): PropertyMap =>
  markSecrets(properties, possibleSecretPaths(schema));

/** Returns the outputs to store in state. */
export function outputsOf(
  definition: Definition,
  { id, inputs, state, notReturned }: Observation,
  { import: _import, external: _external, unready: _unready, defaultId: _defaultId, ...facts }: Facts,
  session: ProviderSession,
): ResourceData {
  const idProperty = idPropertyOf(definition.schema);
  const isDefaultId = idProperty !== undefined && inputs[idProperty] == null;
  const all = { ...inputs, ...state, ...(isDefaultId && { [idProperty]: id }) };
  return {
    properties: serialize(withMarkedSecrets(definition, all)),
    facts: {
      ...facts,
      ...(notReturned && { notReturned }),
      ...(isDefaultId && { defaultId: true }),
      schema: SCHEMA,
      server: session.server(state, endpointOf(definition, all)),
    },
  };
}

/** The outcome of a create or an update. As soon as the object has an ID, a failure must keep it. */
export class Outcome {
  private observed: Observation | undefined;

  constructor(
    private readonly definition: Definition,
    private facts: Facts,
    private readonly session: ProviderSession,
  ) {}

  record(observation: Observation): void {
    const { marker, missingRoutes } = observation;
    this.observed = observation;
    const owned = { ...this.facts, ...(marker !== undefined && { owner: marker }) };
    this.facts = withRoutes(owned, missingRoutes ?? owned.routes);
  }

  /** Returns what to store after a success. */
  succeeded(): StoredResource {
    const observed = this.observed as Observation;
    return this.store(observed, observed.unready !== undefined);
  }

  /** Returns the error of a failure. Before anything is recorded, there is nothing to store. */
  failed(error: unknown): unknown {
    if (!this.observed) return error;
    const { id, outputs } = this.store(this.observed, true);
    return new InitError(id, outputs, messageOf(error), error);
  }

  private store(observed: Observation, isUnready: boolean): StoredResource {
    const outputs = outputsOf(this.definition, observed, factsToStore(this.facts), this.session);
    return {
      id: observed.id,
      outputs: isUnready ? { ...outputs, facts: { ...outputs.facts, unready: true } } : outputs,
    };
  }
}
