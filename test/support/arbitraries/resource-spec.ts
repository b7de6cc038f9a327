import fc from "fast-check";

export const plainObject = { noNullPrototype: true } as const;
export const allOptional = { requiredKeys: [], ...plainObject };

/** Keys chosen by users, in which dots, slashes, capitals and underscores have no meaning. */
const key = fc.constantFrom("app.kubernetes.io/name", "camelCase", "UPPER_CASE", "snake_case", "a.b", "githost");
export const label = fc.string({ unit: "grapheme", maxLength: 6 });
export const word = fc.constantFrom("one", "two", "three");
export const texts = fc.dictionary(key, label, { maxKeys: 3, ...plainObject });

/** Free-form values of the orchestrator. */
const nested = fc.dictionary(key, fc.option(label), { maxKeys: 2, ...plainObject });
const part = fc.oneof(label, fc.boolean(), fc.integer(), fc.constant(null), nested, fc.array(nested, { maxLength: 2 }));
const freeForm = fc.dictionary(key, part, { maxKeys: 2, ...plainObject });
const volumes = ["data", "cache-1"] as const;
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });

const volume = (name: string) =>
  fc.record(
    {
      ...{
        name: fc.constant(name),
        configMap: freeForm,
        secret: freeForm,
        emptyDir: freeForm,
        persistentVolumeClaim: freeForm,
      },
      ...{ nfs: freeForm, projected: freeForm, downwardAPI: freeForm, csi: freeForm },
    },
    { requiredKeys: ["name"], ...plainObject },
  );

const volumeMount = fc.record(
  {
    ...{ name: fc.constantFrom(...volumes), mountPath: word, subPath: word, mountPropagation: word },
    ...{ readOnly: fc.boolean(), subPathExpr: word },
  },
  { requiredKeys: ["name", "mountPath"], ...plainObject },
);

const variableName = fc.constantFrom("A", "_b", "LOG_LEVEL");
const envVar = fc.oneof(
  fc.record({ name: variableName, value: label }, { requiredKeys: ["name"], ...plainObject }),
  fc.record(
    { name: variableName, value: fc.constant(""), valueFrom: freeForm },
    { requiredKeys: ["name"], ...plainObject },
  ),
);

const container = fc.record(
  {
    ...{ name: fc.constantFrom("main", "side-1"), image: word },
    imagePullPolicy: fc.constantFrom("Always", "Never", "IfNotPresent"),
    ...{ command: list(label), args: list(label), workingDir: word, env: list(envVar), envFrom: list(freeForm) },
    resources: fc.record({ limits: texts, requests: texts }, allOptional),
    ...{
      volumeMounts: list(volumeMount),
      securityContext: freeForm,
      restartPolicy: fc.constantFrom("Always", "OnFailure"),
    },
  },
  { requiredKeys: ["name", "image"], ...plainObject },
);

const cores = (min: number, max: number) => fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100);
const cpu = (max: number) => cores(0.1, max);
/** Never below the request, which a cluster rejects. */
const cpuLimit = cores(8, 16);
const memory = fc.integer({ min: 1, max: 4 }).map((parts) => parts * 128);
const memoryLimit = fc.integer({ min: 4, max: 8 }).map((parts) => parts * 128);

const sizes = {
  ...{ minScale: fc.nat(2), maxScale: fc.integer({ min: 2, max: 5 }) },
  ...{ queueMinScale: fc.nat(2), queueMaxScale: fc.integer({ min: 2, max: 5 }) },
  ...{ cpu: cpu(8), cpuLimit, queueCpu: cpu(8), queueCpuLimit: cpuLimit, redisCpu: cpu(8), redisCpuLimit: cpuLimit },
  ...{ coreCpu: cpu(10), coreCpuLimit: cores(10, 20), dbCpu: cpu(10), dbCpuLimit: cores(10, 20) },
  ...{ memoryMb: memory, memoryLimitMb: memoryLimit, queueMemoryMb: memory, queueMemoryLimitMb: memoryLimit },
  ...{ redisMemoryMb: memory, redisMemoryLimitMb: memoryLimit, coreMemoryMb: memory, coreMemoryLimitMb: memoryLimit },
  ...{ dbMemoryMb: memory, dbMemoryLimitMb: memoryLimit },
  ...{ dbStorageGi: fc.integer({ min: 1, max: 99 }), dbMaxConnections: fc.integer({ min: 1, max: 99 }) },
};
const pod = {
  ...{ labels: texts, annotations: texts, serviceAccountName: word },
  imagePullSecrets: list(fc.record({ name: word }, plainObject)),
  ...{ initContainers: list(container), sidecars: list(container), volumeMounts: list(volumeMount) },
};

/** A ResourceSpec with any of its fields; every mount refers to an existing volume. */
export const resourceSpec = fc.oneof(
  fc.record(sizes, allOptional),
  fc
    .record({ ...sizes, ...pod, volumes: fc.tuple(...volumes.map(volume)) }, allOptional)
    .map((spec) => (spec.volumes ? spec : withoutMounts(spec))),
);

function withoutMounts<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (name, part) => (name === "volumeMounts" ? undefined : part));
}

/** The fields of a ResourceSpec that the arbitrary generates. */
export const specFields = [...Object.keys(sizes), ...Object.keys(pod), "volumes"];
