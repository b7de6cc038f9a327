import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";

const { cpu, memory } = limits;
const text = v.nullable(v.string());
const count = v.nullable(v.integer());
const stringMap = v.nullable(v.map(v.string()));
const requestCpu = v.nullable(v.number({ minimum: cpu.minimum, ceiling: cpu.requestCeiling }));
const limitCpu = v.nullable(v.number({ minimum: cpu.minimum, ceiling: cpu.limitCeiling }));
const coreCpu = v.nullable(v.number({ minimum: cpu.minimum }));
const dbCpu = v.nullable(v.number({ minimum: 0 }));
const memoryMb = v.nullable(v.integer({ minimum: memory.multipleOf, multipleOf: memory.multipleOf }));

const dnsLabel = v.string({ minLength: 1, maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" });
const volumeKinds = [
  "configMap",
  "secret",
  "emptyDir",
  "persistentVolumeClaim",
  "nfs",
  "projected",
  "downwardAPI",
  "csi",
] as const;

const volume = v.object("Volume", {
  name: v.required(dnsLabel),
  configMap: v.nullable(v.anyObject()),
  secret: v.nullable(v.anyObject()),
  emptyDir: v.nullable(v.anyObject()),
  persistentVolumeClaim: v.nullable(v.anyObject()),
  nfs: v.nullable(v.anyObject()),
  projected: v.nullable(v.anyObject()),
  downwardAPI: v.nullable(v.anyObject()),
  csi: v.nullable(v.anyObject()),
} satisfies Record<"name" | (typeof volumeKinds)[number], object>);

const volumeMount = v.object("VolumeMount", {
  name: v.required(v.string()),
  mountPath: v.required(v.string()),
  subPath: text,
  mountPropagation: text,
  readOnly: v.nullable(v.boolean()),
  subPathExpr: text,
});

const envVar = v.object("EnvVar", {
  name: v.required(v.string({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" })),
  value: v.withDefault(v.string(), ""),
  valueFrom: v.nullable(v.anyObject()),
});

const container = v.object("Container", {
  name: v.required(dnsLabel),
  image: v.required(v.string()),
  imagePullPolicy: v.nullable(v.enumOf(["Always", "Never", "IfNotPresent"])),
  command: v.nullable(v.list(v.string())),
  args: v.nullable(v.list(v.string())),
  workingDir: text,
  env: v.nullable(v.list(envVar)),
  envFrom: v.nullable(v.list(v.anyObject())),
  resources: v.nullable(v.object("ResourceRequirements", { limits: stringMap, requests: stringMap })),
  volumeMounts: v.nullable(v.list(volumeMount)),
  securityContext: v.nullable(v.anyObject()),
  restartPolicy: v.nullable(v.enumOf(["Always", "OnFailure"])),
});

/** API `2A.ResourceSpec`. */
export const resourceSpec = v.object("ResourceSpec", {
  min_scale: count,
  max_scale: count,
  cpu: requestCpu,
  cpu_limit: limitCpu,
  memory_mb: memoryMb,
  memory_limit_mb: memoryMb,
  queue_min_scale: count,
  queue_max_scale: count,
  queue_cpu: requestCpu,
  queue_cpu_limit: limitCpu,
  queue_memory_mb: memoryMb,
  queue_memory_limit_mb: memoryMb,
  redis_cpu: requestCpu,
  redis_cpu_limit: limitCpu,
  redis_memory_mb: memoryMb,
  redis_memory_limit_mb: memoryMb,
  core_cpu: coreCpu,
  core_cpu_limit: coreCpu,
  core_memory_mb: memoryMb,
  core_memory_limit_mb: memoryMb,
  labels: stringMap,
  annotations: stringMap,
  service_account_name: text,
  image_pull_secrets: v.nullable(v.list(v.object("LocalObjectReference", { name: v.required(v.string()) }))),
  volumes: v.nullable(v.list(volume)),
  volume_mounts: v.nullable(v.list(volumeMount)),
  init_containers: v.nullable(v.list(container)),
  sidecars: v.nullable(v.list(container)),
  db_cpu: dbCpu,
  db_cpu_limit: dbCpu,
  db_memory_mb: memoryMb,
  db_memory_limit_mb: memoryMb,
  db_storage_gi: v.nullable(v.integer({ minimum: 1 })),
  db_max_connections: v.nullable(v.integer({ minimum: 1 })),
});
export type ResourceSpec = v.Infer<typeof resourceSpec>;

/** Fields whose default is another field times a factor; in order, because some defaults depend on others. */
const derivedDefaults = [
  ["cpu_limit", "cpu", limits.limitFactor],
  ["memory_limit_mb", "memory_mb", limits.limitFactor],
  ["queue_min_scale", "min_scale", 1],
  ["queue_max_scale", "max_scale", 1],
  ["queue_cpu", "cpu", 1],
  ["queue_cpu_limit", "queue_cpu", limits.limitFactor],
  ["queue_memory_mb", "memory_mb", 1],
  ["queue_memory_limit_mb", "queue_memory_mb", limits.limitFactor],
  ["redis_cpu_limit", "redis_cpu", limits.limitFactor],
  ["redis_memory_limit_mb", "redis_memory_mb", 1],
  ["core_cpu_limit", "core_cpu", limits.limitFactor],
  ["core_memory_limit_mb", "core_memory_mb", limits.limitFactor],
  ["db_cpu_limit", "db_cpu", limits.limitFactor],
  ["db_memory_limit_mb", "db_memory_mb", limits.limitFactor],
] as const;

const cpuFields = Object.keys(resourceSpec.fields).filter((name) => /cpu(_limit)?$/.test(name));

/** Returns the spec as the server stores it: CPU rounded to one decimal, defaults applied (API `2A.ResourceSpec`). */
export function fillResourceSpec(spec: ResourceSpec): ResourceSpec {
  const rounded = Object.entries(spec).map(([name, value]) => [
    name,
    cpuFields.includes(name) && typeof value === "number" ? roundCpu(value) : value,
  ]);
  const filled: ResourceSpec = Object.fromEntries(rounded);
  for (const [field, baseField, factor] of derivedDefaults) {
    const value = filled[baseField];
    if (filled[field] == null && value != null) filled[field] = value * factor;
  }
  return filled;
}

function roundCpu(cores: number): number {
  return Math.round(cores * 10 ** cpu.decimals) / 10 ** cpu.decimals;
}

/** What no cluster can run: a limit below its request, a maximum below its minimum. */
const ordered = derivedDefaults.flatMap(([limit, request]) =>
  /_limit(_mb)?$/.test(limit) && request !== "redis_memory_mb" ? [[request, limit] as const] : [],
);
const scales = [
  ["min_scale", "max_scale"],
  ["queue_min_scale", "queue_max_scale"],
] as const;

/** Checks what the interface does not say, and a cluster rejects; servers may accept it. */
export function checkRunnable(spec: ResourceSpec, addIssue: AddIssue): void {
  for (const [lower, upper] of [...ordered, ...scales]) {
    const [from, to] = [spec[lower], spec[upper]];
    if (from != null && to != null && to < from) addIssue([upper], `${upper} must not be less than ${lower}`);
  }
  for (const field of scales.flat()) {
    if ((spec[field] ?? 0) < 0) addIssue([field], `${field} must not be negative`);
  }
}

type AddIssue = (loc: readonly (string | number)[], message: string) => void;

/** Checks the rules between fields of a spec; `loc` is relative to the spec. */
export function checkResourceSpec(spec: ResourceSpec, addIssue: AddIssue): void {
  const { redis_memory_mb: cache, redis_memory_limit_mb: cacheLimit } = spec;
  if (cache != null && cacheLimit != null && cache > cacheLimit) {
    addIssue(["redis_memory_limit_mb"], "redis_memory_limit_mb must not be less than redis_memory_mb");
  }
  const names = (spec.volumes ?? []).map((item) => item.name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) addIssue(["volumes", index, "name"], `volume name '${name}' is not unique`);
  }
  checkMounts(spec.volume_mounts, names, ["volume_mounts"], addIssue);
  for (const kind of ["init_containers", "sidecars"] as const) {
    for (const [index, item] of (spec[kind] ?? []).entries()) checkContainer(item, names, [kind, index], addIssue);
  }
}

function checkContainer(
  item: v.Infer<typeof container>,
  volumes: string[],
  loc: (string | number)[],
  addIssue: AddIssue,
): void {
  checkMounts(item.volumeMounts, volumes, [...loc, "volumeMounts"], addIssue);
  for (const [index, variable] of (item.env ?? []).entries()) {
    if (!variable.value || variable.valueFrom == null) continue;
    addIssue([...loc, "env", index, "valueFrom"], "valueFrom cannot be used when value is not empty");
  }
}

type Mounts = v.Infer<typeof volumeMount>[] | null | undefined;

function checkMounts(mounts: Mounts, volumes: string[], loc: (string | number)[], addIssue: AddIssue): void {
  for (const [index, mount] of (mounts ?? []).entries()) {
    if (!volumes.includes(mount.name)) addIssue([...loc, index, "name"], `'${mount.name}' matches no volume`);
  }
}
