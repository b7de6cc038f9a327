import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import { traitsOf } from "../server/server-traits";
import { cleanConfig, cleanConfiguration } from "./reserved";

type Json = Record<string, unknown>;

/** What an assistant, a cron or a run configures its graph with. */
export interface Configuration {
  config: Json;
  context: unknown;
}

/** Returns whether a value is an object with at least one key; an empty one counts as absent. */
function isFilled(value: unknown): value is Json {
  return isObject(value) && Object.keys(value).length > 0;
}

/** Rejects a request that sets both mirrors. @throws ApiError 400 */
export function assertOneMirror({ config, context }: Partial<Configuration>): void {
  if (!isFilled(context) || !isFilled(config?.configurable)) return;
  throw new ApiError(400, "Cannot specify both configurable and context. Prefer setting context alone");
}

/** Returns the configuration after a request, which may set a part of it. @throws ApiError 400 for both mirrors */
export function applyConfiguration(
  emulator: Context,
  current: Configuration,
  requested: Partial<Configuration>,
): Configuration {
  const config = requested.config && cleanConfig(emulator, requested.config);
  const context = cleanConfiguration(emulator, requested.context);
  if (!traitsOf(emulator).mirrorsContext)
    return { config: config ?? current.config, context: context === undefined ? current.context : (context ?? {}) };
  assertOneMirror({ config, context });
  if (isFilled(context)) return { context, config: { ...config, configurable: context } };
  return {
    // An empty config changes nothing.
    config: isFilled(config) ? config : current.config,
    context: isFilled(config?.configurable) ? config.configurable : (context ?? current.context),
  };
}

/**
 * Returns the configuration of a run: that of its assistant, with the values of the request on top. The graph reads
 * `context`; without one, it is `configurable`.
 */
export function configurationOfRun(
  assistant: Configuration,
  requested: { config?: Json | null; context?: Json | null },
  mirrorsContext: boolean,
): { config: Json; context: Json } {
  const configurable = { ...asObject(assistant.config.configurable), ...asObject(requested.config?.configurable) };
  const config = { ...assistant.config, ...requested.config, ...(isFilled(configurable) && { configurable }) };
  const context = { ...asObject(assistant.context), ...requested.context };
  return { config, context: isFilled(context) || !mirrorsContext ? context : configurable };
}

/** Returns a value if it is an object, and otherwise an empty one. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}
