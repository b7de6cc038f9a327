/** What a handler returns for the engine to keep: inputs and outputs with their secrets marked, and the hidden keys. */
import { type Definition, secretsOf } from "../definition/definition";
import { HeldError, type Made } from "../definition/results";
import { type Hidden, InitError, markSecrets, SCHEMA, split, toWire } from "../plan/property-values";
import type { Bag } from "../schema/schema";
import { withRoutes } from "./route-memory";
import type { Session } from "./session";

export const withMarkedSecrets = (definition: Definition, bag: Bag): Bag =>
  markSecrets(bag, secretsOf(definition, bag));

/** The outputs that state keeps. */
export function outputsOf(definition: Definition, inputs: Bag, state: Bag, hidden: Hidden, session: Session): Bag {
  const { visible, hidden: reported } = split(state);
  const all = { ...inputs, ...visible };
  const own = {
    ...(reported.__notReturned && { __notReturned: reported.__notReturned }),
    __import: undefined,
    __external: undefined,
    __unready: undefined,
    __schema: SCHEMA,
    __server: session.server(state, definition.endpointFromInputs?.(all)),
  };
  return toWire({ ...withMarkedSecrets(definition, all), ...hidden, ...own });
}

type Held = Pick<HeldError, "inputs" | "state" | "missingRoutes">;

/**
 * Waits until what was created or changed really works, and returns the outputs.
 * @throws InitError with the ID and what the server holds: from here on the ID exists, so every failure keeps it.
 */
export async function awaitReady(
  definition: Definition,
  made: Made<Bag>,
  inputs: Bag,
  hidden: Hidden,
  session: Session,
): Promise<Bag> {
  const outputs = (known: Bag, state: Bag, keys: Hidden) => outputsOf(definition, known, state, keys, session);
  const marked = { ...hidden, ...(made.marker !== undefined && { __owner: made.marker }) };
  const owned = withRoutes(marked, made.missingRoutes ?? hidden.__routes);
  try {
    if (!made.ready) return outputs(made.confirmed ?? inputs, made.state, owned);
    return outputs(inputs, await made.ready(), owned);
  } catch (error) {
    session.countFailure();
    // What was not confirmed is not stated, so that the next run sends it.
    const held: Held = error instanceof HeldError ? error : { inputs: made.confirmed ?? inputs, state: made.state };
    const known = withRoutes(owned, held.missingRoutes ?? owned.__routes);
    const outs = outputs(split(held.inputs).visible, held.state, known);
    const reason = error instanceof Error ? error.message : String(error);
    throw new InitError(made.id, { ...outs, __unready: true }, reason, error);
  }
}
