/** ResourceSpec of the interface (section 2): bounds, meaning, and which default the service derives from which field. */
import { z } from "zod";
import { marks } from "../definition";

const replicas = (what: string) => z.int().min(0).optional().describe(what);
const cpu = (what: string) =>
  z
    .number()
    .min(0.1)
    .register(marks, { compare: "cpu" })
    .optional()
    .describe(`${what} Cores, at least 0.1, rounded to one decimal.`);
const memory = (what: string) => z.int().min(1).multipleOf(128).optional().describe(`${what} MB, a multiple of 128.`);

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
    redisMemoryLimitMb: memory("Memory limit of the cache; `redisMemoryMb` (not twice) when absent."),
    coreCpu: cpu("CPU request of the core API sidecar; the service decides when absent."),
    coreCpuLimit: cpu("CPU limit of the core API sidecar; twice `coreCpu` when absent."),
    coreMemoryMb: memory("Memory request of the core API sidecar; the service decides when absent."),
    coreMemoryLimitMb: memory("Memory limit of the core API sidecar; twice `coreMemoryMb` when absent."),
  })
  .register(marks, { interface: "ResourceSpecArgs" });

export type ResourceSpec = z.infer<typeof resourceSpec>;
type Field = keyof ResourceSpec;

/** field -> [the field it follows, how many times it] when nobody set it (interface section 2, "Default rule"). */
export const derivedDefaults: Partial<Record<Field, [of: Field, times: number]>> = {
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
};

/** Fields whose request may go up to a ceiling on the cloud service; a self-hosted one may go above (section 8). */
export const ceilings: { fields: Field[]; most: number; unit: string }[] = [
  { fields: ["cpu", "queueCpu", "redisCpu"], most: 8, unit: "cores" },
  { fields: ["cpuLimit", "queueCpuLimit", "redisCpuLimit"], most: 16, unit: "cores" },
];

/**
 * A PATCH overwrites the whole spec, so it carries what the server holds, except what the service itself derived
 * from a field (it would derive it anew) and what was declared before and is no longer.
 */
export function mergeSpec(server: ResourceSpec, before: ResourceSpec, wanted: ResourceSpec): ResourceSpec {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(server) as [Field, unknown][]) {
    if (value == null || key in before || isDerived(server, key)) continue;
    merged[key] = value;
  }
  return { ...merged, ...wanted };
}

function isDerived(spec: ResourceSpec, field: Field): boolean {
  const rule = derivedDefaults[field];
  const base = rule && spec[rule[0]];
  return rule !== undefined && typeof base === "number" && Math.abs(Number(spec[field]) - base * rule[1]) < 0.05;
}
