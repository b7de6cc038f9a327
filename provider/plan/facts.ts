/**
 * What is known about a resource beside its properties. State, and the inputs of dynamic resources, contain each fact
 * as a property whose name begins with `__`, which diffs and displays omit. Users' state contains these names: frozen.
 */
import { ownershipMarker } from "../definition/ownership";
import type { PropertyMap } from "../schema/schema";

/** What the program and the engine provide with a call. */
export interface RequestFacts {
  /** The stub whose source makes the host of dynamic resources load this package. */
  provider?: string;
  urn?: string;
  /** The Pulumi organization, which only the program knows. */
  organization?: string;
  /** customTimeouts of the program. In state: those of the create. */
  timeouts?: Timeouts;
  /** customTimeouts of this call. In state: those of the last update when they differ from `timeouts`. */
  customTimeouts?: Timeouts;
  /** The default name when the program declares none. Read by check; never stored. */
  defaultName?: string;
  /** The ID in the resource option `import`. */
  import?: string;
  /** Paths of the inputs that the program marks secret; in outputs only. Version 0.1.0 stored top-level keys. */
  secretInputs?: readonly string[];
  /** The resource option `replaceOnChanges`, for the reason of a replacement in previews; never stored. */
  replaceOnChanges?: readonly string[];
  /** The resource option `ignoreChanges`; never stored. */
  ignoreChanges?: readonly string[];
  /** In a preview, by input: the URN of the resource that it is an output of, since all are the same unknown. */
  sources?: Readonly<Record<string, string>>;
  /** Set when the program only reads the resource (`get`). */
  external?: boolean;
}

/** What the provider records about the remote object. */
export interface RecordedFacts {
  /** The version of the state's format. */
  schema?: number;
  /** The server that the object was created on, and its path where that is not the one of the settings. */
  server?: { origin: string; tenant?: string; path?: string };
  /** The ownership marker last written. */
  owner?: string;
  /** Set when the last change did not become live, so that the next update continues without a difference. */
  unready?: boolean;
  /** Features that the server lacks: the part of its profile that diff must know. */
  routes?: readonly string[];
  /** Paths of inputs that the server accepts but does not return. */
  notReturned?: readonly string[];
  /** By path, the numbers that the server chose in place of what was sent, or beside it. */
  chosen?: Readonly<Record<string, number>>;
  /** What the server holds where only a replacement could apply the inputs (plan/server-values.ts). */
  serverValues?: Readonly<Record<string, unknown>>;
  /** Paths of inputs that a request has sent whose outcome is not known. */
  unconfirmed?: readonly string[];
  /** Set when the program does not request the ID that the outputs contain. */
  defaultId?: true;
}

export type Facts = RequestFacts & RecordedFacts;

export interface Timeouts {
  create?: string;
  update?: string;
  delete?: string;
}

export interface ResourceData {
  properties: PropertyMap;
  facts: Facts;
}

/** The version of the state format that this package writes. */
export const SCHEMA = 1;

const PREFIX = "__";

/**
 * Separates properties from facts, and adds those that are stored once. Only with the organization does the marker
 * contain the URN: that of an adopted object, whose state names none, may be the marker of another resource.
 */
export function splitFacts(stored: PropertyMap): ResourceData {
  const byKind = Map.groupBy(Object.entries(stored ?? {}), ([key]) => key.startsWith(PREFIX));
  const properties: PropertyMap = Object.fromEntries(byKind.get(false) ?? []);
  const facts: Facts = Object.fromEntries(
    (byKind.get(true) ?? []).map(([key, value]) => [key.slice(PREFIX.length), value]),
  );
  const { organization, owner, server } = facts;
  const prefix = ownershipMarker(organization ?? "", "");
  const isImplied = organization !== undefined && owner?.startsWith(`${prefix}urn:`);
  const urn = isImplied ? owner?.slice(prefix.length) : undefined;
  const tenant = typeof properties.tenantId === "string" ? properties.tenantId : undefined;
  return {
    properties,
    facts: {
      ...(urn !== undefined && { urn }),
      ...facts,
      ...(server && { server: { ...(tenant !== undefined && { tenant }), ...server } }),
    },
  };
}

/**
 * Returns properties with the facts among them, as they are stored: without the URN that the ownership marker contains,
 * and the workspace that the outputs contain, since the engine writes the whole state before and after each step.
 * Versions before November 24, 2026 stored both.
 */
export function joinFacts({ properties, facts: { urn, server, ...facts } }: ResourceData): PropertyMap {
  const { organization, owner } = facts;
  const isImplied = organization !== undefined && owner === ownershipMarker(organization, urn ?? "");
  const { tenant, ...origin } = server ?? {};
  const stored = Object.entries({
    ...facts,
    urn: isImplied ? undefined : urn,
    server: server && tenant === properties.tenantId ? origin : server,
  }).filter(([, value]) => value !== undefined);
  return { ...properties, ...Object.fromEntries(stored.map(([key, value]) => [PREFIX + key, value])) };
}

export const recordedFacts = (facts: Facts): RecordedFacts =>
  pick(facts, [
    ...(["schema", "server", "owner", "unready", "routes", "notReturned", "chosen"] as const),
    ...(["serverValues", "unconfirmed", "defaultId"] as const),
  ]);

/** Whether the native provider wrote the state: it lacks the stub, without which the host could not delete it. */
export const isMovedFromNative = (before: Facts, declared: Facts): boolean =>
  declared.provider !== undefined && before.provider === undefined;

export const inputFacts = (facts: Facts): RequestFacts => pick(facts, ["provider", "urn", "organization", "timeouts"]);

const pick = (facts: Facts, keys: readonly (keyof Facts)[]): Facts =>
  Object.fromEntries(keys.filter((key) => facts[key] !== undefined).map((key) => [key, facts[key]]));

export const omitFacts = (facts: Facts, keys: readonly (keyof Facts)[]): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !keys.some((key) => key === name)));

/** Returns the facts of check: unused ones stay, since the engine lists every input that differs. */
export function factsOfCheck(all: Facts, previous: Facts): Facts {
  const facts = omitFacts(all, ["defaultName", "secretInputs", "replaceOnChanges", "ignoreChanges", "sources"]);
  if (previous.provider === undefined) return facts;
  return { ...facts, import: previous.import, timeouts: previous.timeouts } as Facts;
}
