/** Converts between the inputs and state of a destination and the objects of the API. */
import type { Destination } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { isEqual } from "../../schema/compare";
import { receivedOf } from "../../schema/extra";
import { mergeRemote, toOutputs, UNKNOWN_SECRET, withoutNulls } from "../../schema/mapping";
import type { PropertyMap } from "../../schema/schema";
import { snakeCase } from "../../text/format";
import { type Inputs, inputs, outputs, type State } from "./fields";

/** Returns the state; fields that the response omits keep their values. */
export const toState = (remote: Partial<Destination>, ctx: Context, previous: Partial<State> = {}): State =>
  toOutputs(outputs, remote, { ...previous, tenantId: previous.tenantId ?? ctx.clients.tenantId ?? "" });

/**
 * Returns the declared inputs with the server's values. Everything is immutable, so a field that is omitted or null
 * cannot have changed; but in an import, a missing location field means another location.
 */
export function toInputs(remote: Destination, declared: Inputs | undefined, isImported = false): Inputs {
  const { destinationType, displayName, config, credentialsKeys, awsRoleArn } = remote;
  const shown = withoutNulls({
    destinationType,
    displayName,
    config: config && withoutNulls(config),
    awsRoleArn,
    extra: declared && receivedOf(remote),
  });
  if (!declared) return shown as Inputs;
  // One of the two takes the place of the other.
  if (awsRoleArn != null && declared.credentials) {
    const { credentials: _, ...others } = declared;
    return toInputs(remote, { ...others, awsRoleArn }, isImported);
  }
  if (awsRoleArn === null && declared.awsRoleArn !== undefined && credentialsKeys?.length) {
    const { awsRoleArn: _, ...others } = declared;
    return { ...toInputs(remote, others, isImported), ...withCredentials(credentialsKeys, () => UNKNOWN_SECRET) };
  }
  const isApplied = (path: string) => !(isImported && config && isLocationField(path));
  const credentials = withCredentials(credentialsKeys, (key) => declared.credentials?.[key] ?? "");
  // The API returns only the names of credentials: a missing or new one is drift, and its value is unknown.
  return { ...mergeRemote(inputs, declared, shown, isApplied), ...(declared.credentials && credentials) };
}

type Credentials = NonNullable<Inputs["credentials"]>;
const CREDENTIALS = Object.keys(inputs.shape.credentials.unwrap().shape) as (keyof Credentials)[];

/** Returns the credentials with these names in the API; nothing without names. */
export function withCredentials(
  names: Destination["credentialsKeys"],
  textOf: (key: keyof Credentials) => string,
): Pick<Inputs, "credentials"> | undefined {
  const stored = CREDENTIALS.filter((key) => names?.includes(snakeCase(key)));
  if (stored.length === 0) return undefined;
  return { credentials: Object.fromEntries(stored.map((key) => [key, textOf(key)])) as Credentials };
}

/** Older servers ignore a role, and write with access of their own, or with the key that they have. */
export function warnOfIgnoredRole(remote: Destination, { awsRoleArn }: Inputs, ctx: Context): void {
  const isComplete = remote.config != null || (remote.credentialsKeys ?? []).length > 0;
  if (awsRoleArn === undefined || remote.awsRoleArn != null || !isComplete) return;
  ctx.log.warn("awsRoleArn: the response lacks it, so the server probably ignores it. Declare credentials instead.");
}

/** Fields of the location; they have no server defaults. */
const LOCATION_FIELDS = ["bucketName", "prefix", "region", "endpointUrl"] as const;
const isLocationField = (path: string) => LOCATION_FIELDS.some((field) => path === `config.${field}`);

export function differingFields(other: Destination, desired: Inputs): string[] {
  const { config } = inputs.shape;
  const stored: PropertyMap = withoutNulls(other.config ?? {});
  const location = LOCATION_FIELDS.filter(
    (field) => !isEqual(config.shape[field], stored[field] || undefined, desired.config[field] || undefined),
  );
  const isSameConfig = isEqual(config, mergeRemote(config, desired.config, other.config && stored), desired.config);
  return [
    ...(other.displayName === desired.displayName ? [] : ["displayName"]),
    ...(location.length > 0 || isSameConfig ? location.map((field) => `config.${field}`) : ["config"]),
  ];
}
