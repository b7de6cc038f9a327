/** What a service tells of an object -> what a person would declare of it: without what the service filled in by itself. */
import { z } from "zod";
import { mergeSpec, type ResourceSpec } from "../../provider/api/control-plane/resource-spec";
import { EXPORTABLE } from "../../provider/api/known-values";
import type { Definition } from "../../provider/definition/definition";
import { type Bag, branchFor, marks, restOf, unwrap } from "../../provider/schema/schema";
import { instantText, serverInstant } from "../../provider/schema/timestamp";
import { UNSEEN } from "../../provider/schema/unknown-secrets";
import { isBag } from "./types";

/** The inputs that the definition knows, of all that is told. */
export function declarable(definition: Definition, told: Bag): Bag {
  const branch = branchFor(definition, told);
  return (branch ? pick(branch, told) : told) as Bag;
}

/** The fields that a schema names and a service gives a value. Lists and free forms are compared whole, so they stay whole. */
function pick(schema: z.ZodType, value: unknown, isWhole = false): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const items = value.map((item) => pick(inner.element as z.ZodType, item, true));
    return items.length === 0 && !isWhole ? undefined : items;
  }
  if (inner instanceof z.ZodRecord && isBag(value) && !isWhole) {
    const isFree = unwrap(inner.valueType as z.ZodType) instanceof z.ZodUnknown;
    return Object.keys(value).length === 0 && !isFree ? undefined : value;
  }
  if (!(inner instanceof z.ZodObject) || !isBag(value)) return value;
  const shape = inner.shape as Record<string, z.ZodType>;
  const entries = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const field = Object.hasOwn(shape, key) ? shape[key] : restOf(inner);
    if (!field || part == null || marks.get(unwrap(field))?.computed) return [];
    const kept = pick(field, part, isWhole);
    return kept === undefined ? [] : [[key, kept]];
  });
  return entries.length === 0 && !isWhole ? undefined : Object.fromEntries(entries);
}

/** @param own Origins at which a service serves agents by itself. */
export function ofDeployment(told: Bag, own: readonly string[]): Bag {
  const { resourceSpec, customUrl, buildOnPush, ...config } = (told.sourceConfig ?? {}) as {
    resourceSpec?: ResourceSpec;
    customUrl?: string;
    buildOnPush?: boolean;
  };
  const isOwn = customUrl === undefined || isServices(customUrl, String(told.id), own);
  return {
    ...told,
    // Nothing says whether somebody chose it, and undeclared it stays as it is.
    imageVersion: undefined,
    sourceConfig: {
      ...config,
      ...(!isOwn && { customUrl }),
      // False is what absence comes to, and says that pushes do nothing.
      ...(buildOnPush && { buildOnPush }),
      // Without what follows from other fields by the default rules (interface section 2, ResourceSpec).
      ...(resourceSpec && { resourceSpec: mergeSpec(resourceSpec, {}, {}) }),
    },
  };
}

/** An address that nobody chose: it holds the deployment's id, or is one of the service's own. */
function isServices(url: string, id: string, own: readonly string[]): boolean {
  return url.includes(id) || (URL.canParse(url) && own.includes(new URL(url).origin));
}

export function ofDestination(told: Bag): Bag {
  const { includeBucketInPrefix, prefix, ...config } = (told.config ?? {}) as Bag;
  const held = (told.credentialsKeys ?? []) as readonly string[];
  return {
    destinationType: told.destinationType,
    displayName: told.displayName,
    config: {
      ...config,
      ...(prefix !== "" && { prefix }),
      // True when absent (interface-notes section 3).
      ...(includeBucketInPrefix === false && { includeBucketInPrefix }),
    },
    credentials: {
      ...{ accessKeyId: UNSEEN, secretAccessKey: UNSEEN },
      ...(held.includes("session_token") && { sessionToken: UNSEEN }),
    },
  };
}

/** Values that services fill in (interface section 2 C, interface-notes section 3): another one was chosen. */
const FILLED = { format: "Parquet", formatVersion: "v2_beta", compression: "zstandard" } as const;

/** Of both kinds of export. */
export function ofExport(told: Bag): Bag {
  const { allExperiments, exportFields, startTime, endTime } = told;
  const isChoice = Array.isArray(exportFields) && !EXPORTABLE.every((field) => exportFields.includes(field));
  const filled = Object.entries(FILLED).filter(([field, usual]) => told[field] === usual);
  const left = new Set(["allExperiments", "exportFields", ...filled.map(([field]) => field)]);
  const said = Object.entries(told).filter(([key]) => !left.has(key));
  return {
    ...Object.fromEntries(said),
    ...(allExperiments === true && { allExperiments }),
    ...(isChoice && { exportFields }),
    startTime: utc(startTime),
    ...(endTime != null && { endTime: utc(endTime) }),
  };
}

/** A time as people write it: `+00:00` becomes `Z`. */
function utc(told: unknown): unknown {
  const instant = serverInstant(told);
  return instant === undefined ? told : instantText(instant);
}

/** Metadata that servers and runs write by themselves (interface section 2 B). */
const NOT_DECLARED: ReadonlySet<string> = new Set(["agentgraph_auth_user_id", "assistant_id", "cron_id", "run_id"]);

export function ofThread(told: Bag, deploymentId: string): Bag {
  const metadata = Object.entries((told.metadata ?? {}) as Bag);
  const own = metadata.filter(([key, value]) => value != null && !NOT_DECLARED.has(key));
  return {
    deploymentId,
    threadId: told.threadId,
    ...(own.length > 0 && { metadata: Object.fromEntries(own) }),
    ...(told.ttl != null && { ttl: told.ttl }),
  };
}
