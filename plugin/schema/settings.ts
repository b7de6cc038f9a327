/** The settings in the package schema: the stack configuration, and the arguments of an explicit provider. */
import { environmentName } from "../../provider/settings/servers";
import { isSecretSetting, type SettingKey, settingsSchema } from "../../provider/settings/settings-schema";
import type { PropertySpec, ProviderSpec } from "./spec";
import type { TypeRegistry } from "./types";

const DESCRIPTION =
  "Settings for the resources and functions that use this provider. All settings come from its arguments; the " +
  "stack configuration and the environment are ignored, except for the variable that `apiKeyEnv` names, and " +
  "those of `streamLogs` and `requestLog`.";

export function providerOf(types: TypeRegistry): ProviderSpec {
  return { description: DESCRIPTION, inputProperties: settingsOf(types) };
}

/** Returns the stack configuration. The default of a text, number or boolean is an environment variable. */
export function configOf(types: TypeRegistry): Record<string, PropertySpec> {
  const variables = Object.entries(settingsOf(types)).map(([key, { oneOf, ...property }]) => {
    // The generated Java SDK does not compile with a setting that is a list or another value.
    if (oneOf) return [key, { ...property, $ref: "pulumi.json#/Any" }];
    const isPrimitive = property.type !== undefined && property.type !== "array" && property.type !== "object";
    return [key, { ...property, ...(isPrimitive && { defaultInfo: { environment: [environmentName(key)] } }) }];
  });
  return Object.fromEntries(variables);
}

function settingsOf(types: TypeRegistry): Record<string, PropertySpec> {
  const { properties } = types.objectOf(settingsSchema, "Provider");
  for (const [key, property] of Object.entries(properties))
    if (isSecretSetting(key as SettingKey)) property.secret = true;
  return properties;
}
