import fc from "fast-check";

export const noProto = { noNullPrototype: true } as const;
export const optional = { requiredKeys: [], ...noProto };

/** Keys that belong to the user: dots, slashes, capitals and underscores mean nothing to us. */
const key = fc.constantFrom("app.kubernetes.io/name", "camelCase", "UPPER_CASE", "snake_case", "a.b", "githost");
export const label = fc.string({ unit: "grapheme", maxLength: 6 });
export const word = fc.constantFrom("one", "two", "three");
export const texts = fc.dictionary(key, label, { maxKeys: 3, ...noProto });

/** Free-form parts, as the orchestrator writes them. */
const deep = fc.dictionary(key, fc.option(label), { maxKeys: 2, ...noProto });
const part = fc.oneof(label, fc.boolean(), fc.integer(), fc.constant(null), deep, fc.array(deep, { maxLength: 2 }));
const free = fc.dictionary(key, part, { maxKeys: 2, ...noProto });
const volumes = ["data", "cache-1"] as const;
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });

const volume = (name: string) =>
  fc.record(
    {
      ...{ name: fc.constant(name), configMap: free, secret: free, emptyDir: free, persistentVolumeClaim: free },
      ...{ nfs: free, projected: free, downwardAPI: free, csi: free },
    },
    { requiredKeys: ["name"], ...noProto },
  );

const volumeMount = fc.record(
  {
    ...{ name: fc.constantFrom(...volumes), mountPath: word, subPath: word, mountPropagation: word },
    ...{ readOnly: fc.boolean(), subPathExpr: word },
  },
  { requiredKeys: ["name", "mountPath"], ...noProto },
);

const named = fc.constantFrom("A", "_b", "LOG_LEVEL");
const envVar = fc.oneof(
  fc.record({ name: named, value: label }, { requiredKeys: ["name"], ...noProto }),
  fc.record({ name: named, value: fc.constant(""), valueFrom: free }, { requiredKeys: ["name"], ...noProto }),
);

const container = fc.record(
  {
    ...{ name: fc.constantFrom("main", "side-1"), image: word },
    imagePullPolicy: fc.constantFrom("Always", "Never", "IfNotPresent"),
    ...{ command: list(label), args: list(label), workingDir: word, env: list(envVar), envFrom: list(free) },
    resources: fc.record({ limits: texts, requests: texts }, optional),
    ...{
      volumeMounts: list(volumeMount),
      securityContext: free,
      restartPolicy: fc.constantFrom("Always", "OnFailure"),
    },
  },
  { requiredKeys: ["name", "image"], ...noProto },
);

const cpu = (most: number) => fc.integer({ min: 10, max: most * 100 }).map((hundredths) => hundredths / 100);
const memory = fc.integer({ min: 1, max: 4 }).map((parts) => parts * 128);
const memoryLimit = fc.integer({ min: 4, max: 8 }).map((parts) => parts * 128);

const sizes = {
  ...{ minScale: fc.nat(2), maxScale: fc.integer({ min: 2, max: 5 }) },
  ...{ queueMinScale: fc.nat(2), queueMaxScale: fc.integer({ min: 2, max: 5 }) },
  ...{ cpu: cpu(8), cpuLimit: cpu(16), queueCpu: cpu(8), queueCpuLimit: cpu(16), redisCpu: cpu(8) },
  ...{ redisCpuLimit: cpu(16), coreCpu: cpu(20), coreCpuLimit: cpu(20), dbCpu: cpu(20), dbCpuLimit: cpu(20) },
  ...{ memoryMb: memory, memoryLimitMb: memoryLimit, queueMemoryMb: memory, queueMemoryLimitMb: memoryLimit },
  ...{ redisMemoryMb: memory, redisMemoryLimitMb: memoryLimit, coreMemoryMb: memory, coreMemoryLimitMb: memoryLimit },
  ...{ dbMemoryMb: memory, dbMemoryLimitMb: memoryLimit },
  ...{ dbStorageGi: fc.integer({ min: 1, max: 99 }), dbMaxConnections: fc.integer({ min: 1, max: 99 }) },
};
const pod = {
  ...{ labels: texts, annotations: texts, serviceAccountName: word },
  imagePullSecrets: list(fc.record({ name: word }, noProto)),
  ...{ initContainers: list(container), sidecars: list(container), volumeMounts: list(volumeMount) },
};

/** Every field of a ResourceSpec, each there or not; every mount finds its volume. */
export const resourceSpec = fc.oneof(
  fc.record(sizes, optional),
  fc
    .record({ ...sizes, ...pod, volumes: fc.tuple(...volumes.map(volume)) }, optional)
    .map((spec) => (spec.volumes ? spec : withoutMounts(spec))),
);

function withoutMounts<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (name, part) => (name === "volumeMounts" ? undefined : part));
}

/** The fields of a ResourceSpec that the arbitrary knows. */
export const specFields = [...Object.keys(sizes), ...Object.keys(pod), "volumes"];
