/** Runs functions by their names: validates the arguments, reads, and converts the response to the result. */
import { z } from "zod";
import type { ClientPool, Clients } from "../api/clients";
import type { Clock } from "../http/clock";
import { HttpError } from "../http/errors";
import { catchallOf, isPropertyMap, type PropertyMap, unwrap } from "../schema/schema";
import { credentialsIn, readSettings, type Settings } from "../settings/settings";
import type { ObservedRequests } from "../telemetry/observed-requests";
import { writeWarning } from "../telemetry/open-trace";
import { cleanMessage, withMessage } from "../text/clean";
import { UserError } from "../text/user-error";
import { type FunctionDefinition, parseArgs } from "./definition";
import { functions } from "./functions";

type ReadConfig = (key: string) => unknown;

export class FunctionRunner {
  /** @param warn Shows a warning. Default: writes it to stderr, which the engine shows of a program. */
  constructor(
    private readonly clock: Clock,
    private readonly clients: ClientPool,
    private readonly requests: ObservedRequests,
    private readonly warn: (text: string) => void = writeWarning,
  ) {}

  /** @throws UserError when arguments or settings are invalid, nothing matches, or the server rejects the request. */
  async run(name: string, input: unknown, config: ReadConfig): Promise<unknown> {
    const definition = functions.find((one) => one.name === name) as FunctionDefinition;
    const { withSecrets = false, ...filters } = parseArgs(definition, input);
    if (definition.result instanceof z.ZodArray && Object.values(filters).some(isEmptyList)) return [];
    const secrets = new Set(withSecrets ? [] : definition.secrets);
    return this.read(name, filters, config, async (clients) =>
      toResult(definition.result, await definition.read(filters, clients), secrets),
    );
  }

  /** @param name What reads, in the trace. @param filters The values that the user has passed. */
  async read<T>(
    name: string,
    filters: PropertyMap,
    config: ReadConfig,
    read: (clients: Clients, settings: Settings) => Promise<T>,
  ): Promise<T> {
    const settings = readSettings(config);
    const clean = (text: string) => cleanMessage(text, credentialsIn(settings));
    const call = {
      urn: "",
      operation: name,
      clean,
      debug: async () => undefined,
      warn: (text: string) => this.warn(clean(text)),
    };
    return this.requests
      .during(call, () => {
        const clients = this.clients.get(settings, this.clock, this.requests.observer(settings));
        return read(clients, settings).catch((error: unknown) => {
          if (!(error instanceof HttpError && error.isUnsupportedRoute)) throw error;
          throw error.withHint(
            mentionsAny(error, [...Object.values(filters), settings.tenantId])
              ? MISSING_OBJECT_HINT
              : MISSING_ROUTE_HINT,
          );
        });
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
        throw withMessage(error, error.message, clean);
      });
  }

  /** Exports the trace, because nothing announces the end of a program. */
  exportTrace(): Promise<void> {
    return this.requests.trace.flush();
  }
}

/** Nothing matches an empty list. Some servers treat it as no filter and would return everything. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Returns whether the error names an object from the arguments, rather than a route. */
function mentionsAny({ path, detail }: HttpError, filters: readonly unknown[]): boolean {
  const words = `${path} ${detail}`.split(/[\s/"':,]+/);
  return filters.some((id) => typeof id === "string" && (words.includes(id) || words.includes(encodeURIComponent(id))));
}

const MISSING_OBJECT_HINT =
  "Either no object with this ID exists in the workspace, or this server does not support the function. Check " +
  "the ID and the settings tenantId and apiKey.";
const MISSING_ROUTE_HINT =
  "Either this server does not support the function, or the URL is incorrect. Check controlPlaneUrl, " +
  "tracingApiUrl or deploymentUrl.";

/** Returns the schema's fields that are not null, and users' keys. @throws UserError for a missing required one. */
function toResult(schema: z.ZodType, value: unknown, omitted: ReadonlySet<string> = new Set()): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => toResult(inner.element as z.ZodType, item, omitted));
  }
  if (inner instanceof z.ZodRecord && isPropertyMap(value)) {
    const entries = Object.entries(value).map(([key, part]) => [key, toResult(inner.valueType as z.ZodType, part)]);
    return Object.fromEntries(entries);
  }
  if (!(inner instanceof z.ZodObject) || !isPropertyMap(value)) return value;
  const fields = Object.entries(inner.shape as Record<string, z.ZodType>).filter(([key]) => !omitted.has(key));
  const missing = fields.filter(([key, field]) => value[key] == null && !(field instanceof z.ZodOptional));
  if (missing.length > 0) {
    const names = missing.map(([key]) => key).join(", ");
    throw new UserError(`The response is missing ${names}. Does the URL point to the API itself?`);
  }
  const declaredFields = fields.flatMap(([key, field]) =>
    value[key] == null ? [] : [[key, toResult(field, value[key])]],
  );
  const userFields = catchallOf(inner) ? Object.entries(value).filter(([key]) => !Object.hasOwn(inner.shape, key)) : [];
  return Object.fromEntries([...declaredFields, ...userFields]);
}
