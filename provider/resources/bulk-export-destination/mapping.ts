/** Converts between the inputs and state of a destination and the objects of the API. */
import type { Destination } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { isEqual } from "../../schema/compare";
import { mergeRemote, toOutputs } from "../../schema/mapping";
import { schemaAt } from "../../schema/schema";
import { type Inputs, inputs, outputs, type State } from "./fields";

/** Returns the state; fields that the response omits keep their values. */
export const toState = (remote: Partial<Destination>, ctx: Context, previous: Partial<State> = {}): State =>
  toOutputs(outputs, remote, { ...previous, tenantId: previous.tenantId ?? ctx.settings.tenantId ?? "" });

/**
 * Returns the declared inputs with the server's values. Everything is immutable, so an omitted field cannot have changed;
 * but in an import, a missing location field means another location.
 */
export function toInputs(remote: Destination, declared: Inputs | undefined, isImported = false): Inputs {
  const { destinationType, displayName, config, credentialsKeys } = remote;
  const remoteInputs = { destinationType, displayName, config: withoutNulls(config) };
  if (!declared) return remoteInputs as Inputs;
  return {
    ...mergeRemote(
      inputs,
      declared,
      withoutNulls(remoteInputs),
      (path) => !(isImported && config && isLocationField(path)),
    ),
    ...mergeRemoteCredentials(credentialsKeys, declared),
  } as Inputs;
}

const CREDENTIAL_KEYS = {
  accessKeyId: "access_key_id",
  secretAccessKey: "secret_access_key",
  sessionToken: "session_token",
};

/** The API returns only names: a missing or new one is drift, and its value is unknown. */
function mergeRemoteCredentials(names: Destination["credentialsKeys"], { credentials }: Inputs): Partial<Inputs> {
  const remoteConfig = Object.entries(CREDENTIAL_KEYS).filter(([, name]) => names?.includes(name));
  if (remoteConfig.length === 0 || credentials === undefined) return {};
  return {
    credentials: Object.fromEntries(
      remoteConfig.map(([key]) => [key, credentials[key as keyof typeof CREDENTIAL_KEYS] ?? ""]),
    ) as Inputs["credentials"],
  };
}

/** Fields of the location; they have no server defaults. */
const LOCATION_FIELDS = ["bucketName", "prefix", "region", "endpointUrl"] as const;
const isLocationField = (path: string) => LOCATION_FIELDS.some((field) => path === `config.${field}`);

/** Returns the inputs in which another destination differs from the desired one. */
export function differingFields(other: Destination, desired: Inputs): string[] {
  const remoteConfig = withoutNulls(other.config);
  const emptyToUndefined = (value: unknown) => value || undefined;
  const differingLocation = LOCATION_FIELDS.filter(
    (field) =>
      !isEqual(
        inputs.shape.config.shape[field],
        emptyToUndefined(remoteConfig?.[field]),
        emptyToUndefined(desired.config[field]),
      ),
  );
  const isSameConfig = isEqual(
    schemaAt(inputs, "config"),
    mergeRemote(inputs.shape.config, desired.config, remoteConfig),
    desired.config,
  );
  const config =
    differingLocation.length > 0 ? differingLocation.map((field) => `config.${field}`) : isSameConfig ? [] : ["config"];
  return other.displayName === desired.displayName ? config : ["displayName", ...config];
}

/** Removes nulls, which only mean that the server does not return an immutable field. */
function withoutNulls<T extends object>(remoteInputs: T | null | undefined): Partial<T> | undefined {
  if (!remoteInputs) return undefined;
  return Object.fromEntries(Object.entries(remoteInputs).filter(([, value]) => value != null)) as Partial<T>;
}
