/** A destination as the service holds it: what it says in our terms, and what is sent to it. */
import type { Destination, DestinationBody } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { isEqual, mergeRemote } from "../../schema/compare";
import { schemaAt } from "../../schema/schema";
import { type Inputs, inputs, type State } from "./fields";

export function toBody({ destinationType, displayName, config, credentials }: Inputs): DestinationBody {
  return { destinationType, displayName, config, credentials };
}

/** What the answer leaves out stays as it was. */
export function toState(answer: Destination, ctx: Context, previous: Partial<State> = {}): State {
  return {
    tenantId: answer.tenantId ?? previous.tenantId ?? ctx.settings.tenantId ?? "",
    credentialsKeys: answer.credentialsKeys ?? previous.credentialsKeys,
    createdAt: answer.createdAt ?? previous.createdAt,
    updatedAt: answer.updatedAt ?? previous.updatedAt,
  };
}

/**
 * What the service holds, in the terms of what is declared. What it does not tell cannot have changed: all is fixed. But
 * of a destination that is imported, a place that it lacks is another place.
 */
export function toInputs(answer: Destination, declared: Inputs | undefined, isImported = false): Inputs {
  const { destinationType, displayName, config, credentialsKeys } = answer;
  const told = { destinationType, displayName, config: withoutNulls(config) };
  if (!declared) return told as Inputs;
  return {
    ...mergeRemote(inputs, declared, withoutNulls(told), (path) => !(isImported && config && isPlace(path))),
    ...observeCredentials(credentialsKeys, declared),
  } as Inputs;
}

const CREDENTIALS = {
  accessKeyId: "access_key_id",
  secretAccessKey: "secret_access_key",
  sessionToken: "session_token",
};

/** Only names come back: one that is missing or new is drift, and its value is not known. */
function observeCredentials(names: Destination["credentialsKeys"], { credentials }: Inputs): Partial<Inputs> {
  const held = Object.entries(CREDENTIALS).filter(([, name]) => names?.includes(name));
  if (held.length === 0 || credentials === undefined) return {};
  return {
    credentials: Object.fromEntries(
      held.map(([key]) => [key, credentials[key as keyof typeof CREDENTIALS] ?? ""]),
    ) as Inputs["credentials"],
  };
}

/** Where it writes: these have no default that a service could have filled in. */
const PLACE = ["bucketName", "prefix", "region", "endpointUrl"] as const;
const isPlace = (path: string) => PLACE.some((field) => path === `config.${field}`);

/** The inputs in which another destination has another name or place, or says something else than what is declared. */
export function differences(other: Destination, wanted: Inputs): string[] {
  const held = withoutNulls(other.config);
  const text = (value: unknown) => value || undefined;
  const place = PLACE.filter((field) => text(held?.[field]) !== text(wanted.config[field]));
  const isSame = isEqual(
    schemaAt(inputs, "config"),
    mergeRemote(inputs.shape.config, wanted.config, held),
    wanted.config,
  );
  const config = place.length > 0 ? place.map((field) => `config.${field}`) : isSame ? [] : ["config"];
  return other.displayName === wanted.displayName ? config : ["displayName", ...config];
}

/** Null does not take away what cannot change: the service only does not tell. */
function withoutNulls<T extends object>(told: T | null | undefined): Partial<T> | undefined {
  if (!told) return undefined;
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value != null)) as Partial<T>;
}
