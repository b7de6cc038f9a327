/** ResourceSpec of the interface (section 2): bounds, meaning, and which default the service derives from which field. */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";
import { container, imagePullSecret, volume, volumeMount } from "./pod";

const replicas = (what: string) => z.int().optional().describe(what);
const cpu = (what: string) =>
  z
    .number()
    .min(0.1)
    .register(fieldMetadata, { compare: "cpu" })
    .optional()
    .describe(`${what} Cores, at least 0.1, rounded to one decimal.`);
const dbCpu = (what: string) =>
  z.number().register(fieldMetadata, { compare: "cpu" }).optional().describe(`${what} Cores.`);
const memory = (what: string) => z.int().min(1).multipleOf(128).optional().describe(`${what} MB, a multiple of 128.`);
const map = (what: string) => z.record(z.string(), z.string()).optional().describe(what);

export const resourceSpec = z
  .strictObject({
    minScale: replicas("Smallest number of replicas; the service decides when absent."),
    maxScale: replicas("Largest number of replicas; the service decides when absent."),
    cpu: cpu("CPU request of the agent server; the service decides when absent."),
    cpuLimit: cpu("CPU limit; twice `cpu` when absent."),
    memoryMb: memory("Memory request of the agent server; the service decides when absent."),
    memoryLimitMb: memory("Memory limit; twice `memoryMb` when absent."),
    queueMinScale: replicas("Smallest number of queue workers; `minScale` when absent."),
    queueMaxScale: replicas("Largest number of queue workers; `maxScale` when absent."),
    queueCpu: cpu("CPU request of a queue worker; `cpu` when absent."),
    queueCpuLimit: cpu("CPU limit of a queue worker; twice `queueCpu` when absent."),
    queueMemoryMb: memory("Memory request of a queue worker; `memoryMb` when absent."),
    queueMemoryLimitMb: memory("Memory limit of a queue worker; twice `queueMemoryMb` when absent."),
    redisCpu: cpu("CPU request of the cache; the service decides when absent."),
    redisCpuLimit: cpu("CPU limit of the cache; twice `redisCpu` when absent."),
    redisMemoryMb: memory("Memory request of the cache; the service decides when absent."),
    redisMemoryLimitMb: memory("Memory limit of the cache, not below `redisMemoryMb`; that (not twice) when absent."),
    coreCpu: cpu("CPU request of the core API sidecar; the service decides when absent."),
    coreCpuLimit: cpu("CPU limit of the core API sidecar; twice `coreCpu` when absent."),
    coreMemoryMb: memory("Memory request of the core API sidecar; the service decides when absent."),
    coreMemoryLimitMb: memory("Memory limit of the core API sidecar; twice `coreMemoryMb` when absent."),
    dbCpu: dbCpu("CPU request of the database; the service decides when absent."),
    dbCpuLimit: dbCpu("CPU limit of the database; twice `dbCpu` when absent."),
    dbMemoryMb: memory("Memory request of the database; the service decides when absent."),
    dbMemoryLimitMb: memory("Memory limit of the database; twice `dbMemoryMb` when absent."),
    dbStorageGi: z.int().optional().describe("Database storage in GiB; the service decides when absent."),
    dbMaxConnections: z.int().optional().describe("Most connections to the database; the service decides when absent."),
    labels: map("Labels of everything that is created for it, by key; none when absent."),
    annotations: map("Annotations of everything that is created for it, by key; none when absent."),
    serviceAccountName: z
      .string()
      .optional()
      .describe("Service account to run as, which must exist in the namespace; the namespace's default when absent."),
    imagePullSecrets: z
      .array(imagePullSecret)
      .optional()
      .describe("Secrets of type docker-config-json for pulling images; none when absent."),
    volumes: z.array(volume).optional().describe("Volumes that containers may mount; none when absent."),
    volumeMounts: z
      .array(volumeMount)
      .optional()
      .describe("Where the agent server mounts which volume; nowhere when absent."),
    initContainers: z
      .array(container)
      .optional()
      .describe("Containers that run to completion before the agent server; none when absent."),
    sidecars: z.array(container).optional().describe("Containers that run beside the agent server; none when absent."),
  })
  .register(fieldMetadata, { interface: "ResourceSpecArgs" });

export type ResourceSpec = z.infer<typeof resourceSpec>;
export type SpecField = keyof ResourceSpec;

/** field -> [the field it follows, how many times it] when nobody set it (interface section 2, "Default rule"). */
export const derivedDefaults: Partial<Record<SpecField, [of: SpecField, times: number]>> = {
  cpuLimit: ["cpu", 2],
  memoryLimitMb: ["memoryMb", 2],
  queueMinScale: ["minScale", 1],
  queueMaxScale: ["maxScale", 1],
  queueCpu: ["cpu", 1],
  queueCpuLimit: ["queueCpu", 2],
  queueMemoryMb: ["memoryMb", 1],
  queueMemoryLimitMb: ["queueMemoryMb", 2],
  redisCpuLimit: ["redisCpu", 2],
  redisMemoryLimitMb: ["redisMemoryMb", 1],
  coreCpuLimit: ["coreCpu", 2],
  coreMemoryLimitMb: ["coreMemoryMb", 2],
  dbCpuLimit: ["dbCpu", 2],
  dbMemoryLimitMb: ["dbMemoryMb", 2],
};

/** request -> limit, of the same resource. */
export const limitFieldOf: Partial<Record<SpecField, SpecField>> = {
  cpu: "cpuLimit",
  memoryMb: "memoryLimitMb",
  queueCpu: "queueCpuLimit",
  queueMemoryMb: "queueMemoryLimitMb",
  redisCpu: "redisCpuLimit",
  coreCpu: "coreCpuLimit",
  coreMemoryMb: "coreMemoryLimitMb",
  dbCpu: "dbCpuLimit",
  dbMemoryMb: "dbMemoryLimitMb",
};

/** Ceilings of the cloud service; a self-hosted one may go above (interface section 8). */
export const CEILINGS: { fields: SpecField[]; max: number; unit: string }[] = [
  { fields: ["cpu", "queueCpu", "redisCpu"], max: 8, unit: "cores" },
  { fields: ["cpuLimit", "queueCpuLimit", "redisCpuLimit"], max: 16, unit: "cores" },
  { fields: ["memoryMb", "queueMemoryMb", "redisMemoryMb"], max: 16 * 1024, unit: "MB" },
  { fields: ["memoryLimitMb", "queueMemoryLimitMb", "redisMemoryLimitMb"], max: 32 * 1024, unit: "MB" },
];

/**
 * A PATCH overwrites the whole spec, so it carries what the server holds, except what the service itself derived
 * from a field (it would derive it anew) and what was declared before and is no longer.
 */
export function mergeSpec(remote: ResourceSpec, previous: ResourceSpec, desired: ResourceSpec): ResourceSpec {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(remote) as [SpecField, unknown][]) {
    if (value == null || key in previous || isDerived(remote, key)) continue;
    merged[key] = value;
  }
  return { ...merged, ...desired };
}

/** What the server derives for a field from the fields that it holds; undefined where it derives nothing. */
export function derivedValue(spec: ResourceSpec, field: SpecField): number | undefined {
  const [of, times] = derivedDefaults[field] ?? [];
  if (of === undefined || times === undefined) return undefined;
  const base = spec[of] ?? derivedValue(spec, of);
  return typeof base === "number" ? base * times : undefined;
}

function isDerived(spec: ResourceSpec, field: SpecField): boolean {
  const rule = derivedDefaults[field];
  const base = rule && spec[rule[0]];
  return rule !== undefined && typeof base === "number" && Math.abs(Number(spec[field]) - base * rule[1]) < 0.05;
}
