/** Runs a look-up by its name. The sdk loads this module with the first one: it brings zod and undici. */
import { z } from "zod";
import { createClients } from "../api/clients";
import { type Clock, realClock } from "../http/clock";
import { HttpError } from "../http/errors";
import type { PropertyMap } from "../schema/schema";
import { credentialsIn, readSettings, type Settings } from "../settings/settings";
import { cleanMessage, withMessage } from "../text/clean";
import { checkedArgs } from "./arguments";
import type { FunctionDefinition } from "./definition";
import { functions } from "./functions";
import { shown } from "./result";

export { UserError } from "../text/user-error";

const byName = new Map(functions.map((lookup) => [lookup.name, lookup]));

/**
 * @param config A setting by its key, such as `agentgraph:apiKey`.
 * @throws UserError when arguments or settings are wrong, nothing is found, or the service refuses.
 */
export async function run(
  name: string,
  given: unknown,
  config: (key: string) => unknown,
  clock: Clock = realClock,
): Promise<unknown> {
  const lookup = byName.get(name) as FunctionDefinition;
  const args = checkedArgs(lookup, given);
  const settings = readSettings(config);
  return read(lookup, args, settings, clock).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    throw withMessage(error, error.message, (text) => cleanMessage(text, credentialsIn(settings)));
  });
}

async function read(lookup: FunctionDefinition, args: PropertyMap, settings: Settings, clock: Clock): Promise<unknown> {
  const { withSecrets = false, ...asked } = args;
  if (lookup.result instanceof z.ZodArray && Object.values(asked).some(isEmptyList)) return [];
  const answer = await lookup.read(asked, createClients(settings, clock), settings).catch((error: unknown) => {
    if (!(error instanceof HttpError && error.isUnsupportedRoute)) throw error;
    throw error.withHint(speaksOf(error, [...Object.values(asked), settings.tenantId]) ? NO_ID : NO_ROUTE);
  });
  return shown(lookup.result, answer, new Set(withSecrets ? [] : lookup.secrets));
}

/** Nothing is one of none; some services take an empty list for no filter at all, and would answer everything. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Whether the refusal names a thing that was asked for, and is not about a whole list. */
function speaksOf({ path, detail }: HttpError, asked: readonly unknown[]): boolean {
  const words = `${path} ${detail}`.split(/[\s/"':,]+/);
  return asked.some((id) => typeof id === "string" && (words.includes(id) || words.includes(encodeURIComponent(id))));
}

const NO_ID =
  "Either nothing of this id is in the workspace that the key opens, or this service has no such route. Check the id, and the settings tenantId and apiKey.";
const NO_ROUTE =
  "This service has no such route, or the URL does not name it: that of the setting (controlPlaneUrl, tracingApiUrl), or deploymentUrl.";
