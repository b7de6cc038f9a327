/**
 * The engine's wire values both ways: unknowns, secrets, undefined, hidden keys. What was measured about them stands in
 * docs/design-decisions.md; this is the only file that knows. The constants of the wire are written out and a test
 * compares them with those of `@pulumi/pulumi`: to load it takes half a second, which no command is to wait for.
 */
import type { PropertyMap } from "../schema/schema";

/** Keys that begin with `__` are hidden from every diff and display. Those of state are never renamed. */
export interface InternalProperties {
  /** The stub: its text makes the host load this package. */
  __provider?: string;
  /** The resource's URN; handlers are not told it otherwise. */
  __urn?: string;
  /** The Pulumi organization, which only the program knows. */
  __organization?: string;
  /** customTimeouts, which the host does not pass on. In state, those of the create. */
  __timeouts?: { create?: string; update?: string; delete?: string };
  /** customTimeouts of the last update, where they differ from `__timeouts`; in outputs only. */
  __customTimeouts?: { create?: string; update?: string; delete?: string };
  /** The name that the SDK made where the program writes none. check reads it, and state never holds it. */
  __defaultName?: string;
  /** The id to take over, from the resource option `import`. */
  __import?: string;
  /** Top-level inputs that the program marks secret; in outputs only. */
  __secretInputs?: readonly string[];
  /** The resource option `replaceOnChanges`, so that a preview words such a replacement; never stored. */
  __replaceOnChanges?: readonly string[];
  /** That a program only reads it (`get`) and does not manage it. */
  __external?: boolean;
  /** The form of this state: a migration step per number. */
  __schema?: number;
  /** The server that holds the object. */
  __server?: { origin: string; tenant?: string };
  /** The ownership marker last written. */
  __owner?: string;
  /** That what was made or changed last did not come to work: the next up does something even without a difference. */
  __unready?: boolean;
  /** Optional routes that the server turned out not to have. */
  __routes?: readonly string[];
  /** Paths of inputs that the server did not return although they were sent. */
  __notReturned?: readonly string[];
}

/** The form of the state that this version writes. */
export const SCHEMA = 1;

/** Parts a bag of the engine into what the definition knows and what is hidden. */
export function splitInternal(properties: PropertyMap): { properties: PropertyMap; internal: InternalProperties } {
  const entries = Object.entries(properties ?? {});
  const isInternal = (key: string) => key.startsWith("__");
  return {
    properties: Object.fromEntries(entries.filter(([key]) => !isInternal(key))),
    internal: Object.fromEntries(entries.filter(([key]) => isInternal(key))),
  };
}

/** How the engine writes what is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether the value is not known yet, or holds something that is not. */
export function containsUnknown(value: unknown): boolean {
  return deepSome(value, (part) => typeof part === "string" && UNKNOWNS.has(part));
}

/** The engine writes a constant for every unknown: the first whatever its type, the others where it knows the type. */
const UNKNOWNS = new Set<string>([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** What is known of a bag, whole values only. */
export const omitUnknowns = (properties: PropertyMap): PropertyMap =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !containsUnknown(value)));

function deepSome(value: unknown, test: (value: unknown) => boolean): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some((part) => deepSome(part, test));
  return test(value);
}

/**
 * A bag as the engine takes it: an undefined anywhere loses a created resource (the answer fails after the act), and a
 * Date becomes an empty object, so both are gone here. A null at the top is an output that the server has not set, and
 * absent; deeper ones stand in what users wrote in their own form, and stay.
 */
export function serialize(properties: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(clean(properties) as PropertyMap).filter(([, value]) => value !== null));
}

function clean(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((part) => clean(part) ?? null);
  if (typeof value !== "object" || value === null) return value;
  // An assignment would lose a key `__proto__`.
  const cleaned = Object.entries(value).map(([key, part]) => [key, clean(part)] as const);
  return Object.fromEntries(cleaned.filter(([, part]) => part !== undefined));
}

/** Marks the values at these paths secret, each by itself, so that a preview names the key of a map that changed. */
export function markSecrets(properties: PropertyMap, paths: readonly string[]): PropertyMap {
  return paths.reduce((marked, path) => markAt(marked, path.split(".")) as PropertyMap, properties);
}

function markAt(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return asSecret(value);
  if (typeof value !== "object" || value === null || isSecret(value)) return value;
  const marked = Object.entries(value).map(([name, part]) => [
    name,
    part !== undefined && (key === "*" || key === name) ? markAt(part, rest) : part,
  ]);
  return Object.fromEntries(marked);
}

/** The key and the value by which the engine marks a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const isSecret = (value: object) => SIGNATURE in value;
const asSecret = (value: unknown) => ({ [SIGNATURE]: SECRET_SIGNATURE, value });

/**
 * An error that keeps the resource: the engine saves id and properties, shows the reasons, and the next `up` updates
 * even without a difference. Every failure after the remote id exists leaves as one of these.
 */
export class InitError extends Error {
  constructor(
    readonly id: string,
    readonly properties: PropertyMap,
    reason: string,
    /** What went wrong. */
    override readonly cause?: unknown,
  ) {
    super(reason);
    this.name = "InitError";
    this.reasons = [reason];
  }
  readonly reasons: string[];
}

/** The hidden keys that only state knows, and that a change carries on. */
export const rememberedKeys = ({ __owner, __routes, __notReturned }: InternalProperties): InternalProperties => ({
  ...(__owner !== undefined && { __owner }),
  ...(__routes && { __routes }),
  ...(__notReturned && { __notReturned }),
});

/** The hidden keys that inputs have, which only the program knows. */
export const inputKeys = ({
  __provider,
  __urn,
  __organization,
  __timeouts,
}: InternalProperties): InternalProperties => {
  return { __provider, __urn, __organization, __timeouts } as InternalProperties;
};
