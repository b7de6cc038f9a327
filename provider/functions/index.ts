/** Runs a function by its name. The SDK loads this module with the first call, since it loads zod and undici. */
import { z } from "zod";
import { createClients } from "../api/clients";
import { type Clock, realClock } from "../http/clock";
import { HttpError } from "../http/errors";
import type { PropertyMap } from "../schema/schema";
import { credentialsIn, readSettings, type Settings } from "../settings/settings";
import { cleanMessage, withMessage } from "../text/clean";
import { parseArgs } from "./arguments";
import type { FunctionDefinition } from "./definition";
import { functions } from "./functions";
import { toResult } from "./result";

export { UserError } from "../text/user-error";

const definitionsByName = new Map(functions.map((definition) => [definition.name, definition]));

/**
 * @param config Returns a setting by its key, such as `agentgraph:apiKey`.
 * @throws UserError when arguments or settings are invalid, nothing matches, or the server rejects the request.
 */
export async function run(
  name: string,
  input: unknown,
  config: (key: string) => unknown,
  clock: Clock = realClock,
): Promise<unknown> {
  const definition = definitionsByName.get(name) as FunctionDefinition;
  const args = parseArgs(definition, input);
  const settings = readSettings(config);
  return read(definition, args, settings, clock).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    throw withMessage(error, error.message, (text) => cleanMessage(text, credentialsIn(settings)));
  });
}

async function read(
  definition: FunctionDefinition,
  args: PropertyMap,
  settings: Settings,
  clock: Clock,
): Promise<unknown> {
  const { withSecrets = false, ...filters } = args;
  if (definition.result instanceof z.ZodArray && Object.values(filters).some(isEmptyList)) return [];
  const response = await definition.read(filters, createClients(settings, clock), settings).catch((error: unknown) => {
    if (!(error instanceof HttpError && error.isUnsupportedRoute)) throw error;
    throw error.withHint(
      mentionsAny(error, [...Object.values(filters), settings.tenantId]) ? MISSING_OBJECT_HINT : MISSING_ROUTE_HINT,
    );
  });
  return toResult(definition.result, response, new Set(withSecrets ? [] : definition.secrets));
}

/** Nothing matches an empty list. Some servers treat it as no filter and would return everything. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Returns whether the error names an object from the arguments, rather than a route. */
function mentionsAny({ path, detail }: HttpError, filters: readonly unknown[]): boolean {
  const words = `${path} ${detail}`.split(/[\s/"':,]+/);
  return filters.some((id) => typeof id === "string" && (words.includes(id) || words.includes(encodeURIComponent(id))));
}

const MISSING_OBJECT_HINT =
  "Either no object with this ID exists in the workspace, or this server does not support the function. Check the ID and the settings tenantId and apiKey.";
const MISSING_ROUTE_HINT =
  "Either this server does not support the function, or the URL is incorrect. Check controlPlaneUrl, tracingApiUrl or deploymentUrl.";
