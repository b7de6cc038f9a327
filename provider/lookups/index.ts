/** Runs a look-up by its name. The sdk loads this module with the first one: it brings zod and undici. */
import { type Clock, realClock } from "../clock";
import { connect } from "../connect";
import { RequestError } from "../http/errors";
import { readSettings } from "../settings";
import { shown } from "./answer";
import { checkedArgs } from "./args";
import type { Lookup } from "./definition";
import { lookups } from "./lookups";

export { PlainError } from "../http/errors";

const byName = new Map(lookups.map((lookup) => [lookup.name, lookup]));

/**
 * @param config A setting by its key, such as `agentgraph:apiKey`.
 * @throws PlainError when arguments or settings are wrong, nothing is found, or the service refuses.
 */
export async function run(
  name: string,
  given: unknown,
  config: (key: string) => unknown,
  clock: Clock = realClock,
): Promise<unknown> {
  const lookup = byName.get(name) as Lookup;
  const args = checkedArgs(lookup, given);
  const settings = readSettings(config);
  const { withSecrets = false, ...asked } = args;
  const answer = await lookup.read(asked, connect(settings, clock), settings).catch((error: unknown) => {
    throw error instanceof RequestError && error.maybeMissingRoute ? error.advised(NOTHING) : error;
  });
  return shown(lookup.answer, answer, new Set(withSecrets ? [] : lookup.secrets));
}

const NOTHING =
  "Either nothing of this id is in the workspace that the key opens, or this service has no such route. Check the id, and the settings tenantId and apiKey.";
