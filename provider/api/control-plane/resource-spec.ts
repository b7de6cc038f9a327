/** ResourceSpec of the interface (section 2): bounds, descriptions, and the defaults that the server derives. */
import { z } from "zod";
import { fieldMetadata, optionalText } from "../../schema/schema";
import { container, imagePullSecret, volume, volumeMount } from "./pod";

const replicas = (description: string) => z.int().optional().describe(description);
const cpu = (description: string) =>
  z
    .number()
    .min(0.1)
    .register(fieldMetadata, { compare: "cpu" })
    .optional()
    .describe(`${description} In cores, at least 0.1, rounded to one decimal.`);
const dbCpu = (description: string) =>
  z.number().min(0).register(fieldMetadata, { compare: "cpu" }).optional().describe(`${description} In cores.`);
const memory = (description: string) =>
  z.int().min(1).multipleOf(128).optional().describe(`${description} In MB, a multiple of 128.`);
const map = (description: string) => z.record(z.string(), z.string()).optional().describe(description);

export const resourceSpec = z
  .strictObject({
    minScale: replicas("Minimum number of replicas. Chosen by the server if not set."),
    maxScale: replicas("Maximum number of replicas. Chosen by the server if not set."),
    cpu: cpu("CPU request of the agent server. Chosen by the server if not set."),
    cpuLimit: cpu("CPU limit. Defaults to twice `cpu`."),
    memoryMb: memory("Memory request of the agent server. Chosen by the server if not set."),
    memoryLimitMb: memory("Memory limit. Defaults to twice `memoryMb`."),
    queueMinScale: replicas("Minimum number of queue workers. Defaults to `minScale`."),
    queueMaxScale: replicas("Maximum number of queue workers. Defaults to `maxScale`."),
    queueCpu: cpu("CPU request of a queue worker. Defaults to `cpu`."),
    queueCpuLimit: cpu("CPU limit of a queue worker. Defaults to twice `queueCpu`."),
    queueMemoryMb: memory("Memory request of a queue worker. Defaults to `memoryMb`."),
    queueMemoryLimitMb: memory("Memory limit of a queue worker. Defaults to twice `queueMemoryMb`."),
    redisCpu: cpu("CPU request of the cache. Chosen by the server if not set."),
    redisCpuLimit: cpu("CPU limit of the cache. Defaults to twice `redisCpu`."),
    redisMemoryMb: memory("Memory request of the cache. Chosen by the server if not set."),
    redisMemoryLimitMb: memory("Memory limit of the cache, at least `redisMemoryMb`. Defaults to `redisMemoryMb`."),
    coreCpu: cpu("CPU request of the core API sidecar. Chosen by the server if not set."),
    coreCpuLimit: cpu("CPU limit of the core API sidecar. Defaults to twice `coreCpu`."),
    coreMemoryMb: memory("Memory request of the core API sidecar. Chosen by the server if not set."),
    coreMemoryLimitMb: memory("Memory limit of the core API sidecar. Defaults to twice `coreMemoryMb`."),
    dbCpu: dbCpu("CPU request of the database. Chosen by the server if not set."),
    dbCpuLimit: dbCpu("CPU limit of the database. Defaults to twice `dbCpu`."),
    dbMemoryMb: memory("Memory request of the database. Chosen by the server if not set."),
    dbMemoryLimitMb: memory("Memory limit of the database. Defaults to twice `dbMemoryMb`."),
    dbStorageGi: z.int().min(1).optional().describe("Database storage in GiB. Chosen by the server if not set."),
    dbMaxConnections: z
      .int()
      .min(1)
      .optional()
      .describe("Maximum number of connections to the database. Chosen by the server if not set."),
    labels: map("Labels for all objects of the deployment, by key."),
    annotations: map("Annotations for all objects of the deployment, by key."),
    serviceAccountName: optionalText(
      "Existing service account in the namespace to run as. Defaults to the default account of the namespace.",
    ),
    imagePullSecrets: z
      .array(imagePullSecret)
      .optional()
      .describe("Secrets of type docker-config-json for pulling images."),
    volumes: z.array(volume).optional().describe("Volumes that containers may mount."),
    volumeMounts: z.array(volumeMount).optional().describe("Volume mounts of the agent server."),
    initContainers: z
      .array(container)
      .optional()
      .describe("Containers that run to completion before the agent server starts."),
    sidecars: z.array(container).optional().describe("Containers that run alongside the agent server."),
  })
  .register(fieldMetadata, {
    interface: "ResourceSpecArgs",
    description: "Replicas, CPU, memory and pod settings of a deployment.",
  });

export type ResourceSpec = z.infer<typeof resourceSpec>;
export type SpecField = keyof ResourceSpec;

/** Field -> [base field, factor] of its default (API `2A.ResourceSpec`). */
export const derivedDefaults: Partial<Record<SpecField, [baseField: SpecField, factor: number]>> = {
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

/** Ceilings of the cloud platform; others may exceed them (API `8.Self-hosted CPU and memory requests`). */
export const CEILINGS: { fields: SpecField[]; max: number; unit: string }[] = [
  { fields: ["cpu", "queueCpu", "redisCpu"], max: 8, unit: "cores" },
  { fields: ["cpuLimit", "queueCpuLimit", "redisCpuLimit"], max: 16, unit: "cores" },
  { fields: ["memoryMb", "queueMemoryMb", "redisMemoryMb"], max: 16 * 1024, unit: "MB" },
  { fields: ["memoryLimitMb", "queueMemoryLimitMb", "redisMemoryLimitMb"], max: 32 * 1024, unit: "MB" },
];

/**
 * Returns what others set in a spec, which a PATCH overwrites as a whole: without fields that the server derived, so
 * that it derives them again, and without those that the program declares or declared.
 */
export const specOfOthers = (remote: ResourceSpec, declared: ResourceSpec = {}): ResourceSpec =>
  Object.fromEntries(
    Object.entries(remote).filter(
      ([key, value]) => value != null && !(key in declared) && !isDerived(remote, key as SpecField),
    ),
  );

/** Returns the default that the server derives for a field from others; undefined where it derives none. */
export function derivedValue(spec: ResourceSpec, field: SpecField): number | undefined {
  const [baseField, factor] = derivedDefaults[field] ?? [];
  if (baseField === undefined || factor === undefined) return undefined;
  const base = spec[baseField] ?? derivedValue(spec, baseField);
  return typeof base === "number" ? base * factor : undefined;
}

function isDerived(spec: ResourceSpec, field: SpecField): boolean {
  const rule = derivedDefaults[field];
  const base = rule && spec[rule[0]];
  return (
    rule !== undefined &&
    typeof base === "number" &&
    Math.abs(Number(spec[field]) - base * rule[1]) < 0.05 * rule[1] + 0.01
  );
}
