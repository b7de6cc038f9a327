import { limits } from "../limits";
import {
  boolean,
  free,
  type Infer,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  required,
  string,
} from "../validation/schema";

const { cpu, memory } = limits;
const text = nullable(string());
const count = nullable(integer());
const texts = nullable(map(string()));
const requestCpu = nullable(number({ minimum: cpu.minimum, ceiling: cpu.requestCeiling }));
const limitCpu = nullable(number({ minimum: cpu.minimum, ceiling: cpu.limitCeiling }));
const coreCpu = nullable(number({ minimum: cpu.minimum }));
const dbCpu = nullable(number({ minimum: 0 }));
const memoryMb = nullable(integer({ minimum: memory.multipleOf, multipleOf: memory.multipleOf }));

const dnsLabel = string({ minLength: 1, maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" });
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

const volume = object("Volume", {
  name: required(dnsLabel),
  configMap: nullable(free()),
  secret: nullable(free()),
  emptyDir: nullable(free()),
  persistentVolumeClaim: nullable(free()),
  nfs: nullable(free()),
  projected: nullable(free()),
  downwardAPI: nullable(free()),
  csi: nullable(free()),
} satisfies Record<"name" | (typeof volumeKinds)[number], object>);

const volumeMount = object("VolumeMount", {
  name: required(string()),
  mountPath: required(string()),
  subPath: text,
  mountPropagation: text,
  readOnly: nullable(boolean()),
  subPathExpr: text,
});

const envVar = object("EnvVar", {
  name: required(string({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" })),
  value: text,
  valueFrom: nullable(free()),
});

const container = object("Container", {
  name: required(dnsLabel),
  image: required(string()),
  imagePullPolicy: nullable(oneOf(["Always", "Never", "IfNotPresent"])),
  command: nullable(list(string())),
  args: nullable(list(string())),
  workingDir: text,
  env: nullable(list(envVar)),
  envFrom: nullable(list(free())),
  resources: nullable(object("ResourceRequirements", { limits: texts, requests: texts })),
  volumeMounts: nullable(list(volumeMount)),
  securityContext: nullable(free()),
  restartPolicy: nullable(oneOf(["Always", "OnFailure"])),
});

/** interface.md section 2 A, ResourceSpec. */
export const resourceSpec = object("ResourceSpec", {
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
  labels: texts,
  annotations: texts,
  service_account_name: text,
  image_pull_secrets: nullable(list(object("LocalObjectReference", { name: required(string()) }))),
  volumes: nullable(list(volume)),
  volume_mounts: nullable(list(volumeMount)),
  init_containers: nullable(list(container)),
  sidecars: nullable(list(container)),
  db_cpu: dbCpu,
  db_cpu_limit: dbCpu,
  db_memory_mb: memoryMb,
  db_memory_limit_mb: memoryMb,
  db_storage_gi: nullable(integer({ minimum: 1 })),
  db_max_connections: nullable(integer({ minimum: 1 })),
});
export type ResourceSpec = Infer<typeof resourceSpec>;

/** An unset field and the field it follows, times a factor; in order, since some follow a filled one. */
const followers = [
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

/** The spec as the service keeps it: CPU rounded to 1 decimal, unset fields filled by the default rules of section 2. */
export function fillResourceSpec(spec: ResourceSpec): ResourceSpec {
  const rounded = Object.entries(spec).map(([name, value]) => [
    name,
    cpuFields.includes(name) && typeof value === "number" ? roundCpu(value) : value,
  ]);
  const filled: ResourceSpec = Object.fromEntries(rounded);
  for (const [unset, followed, factor] of followers) {
    const value = filled[followed];
    if (filled[unset] == null && value != null)
      filled[unset] = followed.includes("cpu") ? roundCpu(value * factor) : value * factor;
  }
  return filled;
}

function roundCpu(cores: number): number {
  return Math.round(cores * 10 ** cpu.decimals) / 10 ** cpu.decimals;
}

type Report = (loc: (string | number)[], message: string) => void;

/** The rules between fields of a spec; `loc` of a finding starts at the spec. */
export function checkResourceSpec(spec: ResourceSpec, report: Report): void {
  const { redis_memory_mb: cache, redis_memory_limit_mb: cacheLimit } = spec;
  if (cache != null && cacheLimit != null && cache > cacheLimit) {
    report(["redis_memory_limit_mb"], "redis_memory_limit_mb must not be less than redis_memory_mb");
  }
  const names = (spec.volumes ?? []).map((item) => item.name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) report(["volumes", index, "name"], `volume name '${name}' is not unique`);
  }
  checkMounts(spec.volume_mounts, names, ["volume_mounts"], report);
  for (const kind of ["init_containers", "sidecars"] as const) {
    for (const [index, item] of (spec[kind] ?? []).entries()) checkContainer(item, names, [kind, index], report);
  }
}

function checkContainer(
  item: Infer<typeof container>,
  volumes: string[],
  loc: (string | number)[],
  report: Report,
): void {
  checkMounts(item.volumeMounts, volumes, [...loc, "volumeMounts"], report);
  for (const [index, variable] of (item.env ?? []).entries()) {
    if (!variable.value || variable.valueFrom == null) continue;
    report([...loc, "env", index, "valueFrom"], "valueFrom cannot be used when value is not empty");
  }
}

type Mounts = Infer<typeof volumeMount>[] | null | undefined;

function checkMounts(mounts: Mounts, volumes: string[], loc: (string | number)[], report: Report): void {
  for (const [index, mount] of (mounts ?? []).entries()) {
    if (!volumes.includes(mount.name)) report([...loc, index, "name"], `'${mount.name}' matches no volume`);
  }
}
