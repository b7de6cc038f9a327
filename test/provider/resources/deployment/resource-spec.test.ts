/** Which resource specs of a Deployment a preview rejects, and which it warns about. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { createDeployment } from "../../../support/deployments/create";
import { dockerDeployment, withResourceSpec } from "../../../support/deployments/inputs";
import { preview } from "../../../support/deployments/previewed";
import { expectClean } from "../../../support/stack";

const SPEC = "sourceConfig.resourceSpec";
const side = { name: "side", image: "x:1" };

const previewOf = (spec: PropertyMap) => preview(dockerDeployment(withResourceSpec(spec)));

describe("Deployment: in a resource spec", () => {
  const ceilings: [string, number][] = [
    ...["cpu", "queueCpu", "redisCpu"].map((field): [string, number] => [field, 8]),
    ...["cpuLimit", "queueCpuLimit", "redisCpuLimit"].map((field): [string, number] => [field, 16]),
  ];
  // @covers 2A.ResourceSpec.cpu, 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.queue_cpu
  // @covers 2A.ResourceSpec.queue_cpu_limit, 2A.ResourceSpec.redis_cpu, 2A.ResourceSpec.redis_cpu_limit
  // @covers 2A.ResourceSpec.core_cpu, 2A.ResourceSpec.core_cpu_limit, 8.cpu, 8.queue_cpu, 8.redis_cpu, 8.cpu_limit
  // @covers 8.queue_cpu_limit, 8.redis_cpu_limit, 8.core_cpu, 8.core_cpu_limit
  // @covers 8.Self-hosted CPU and memory requests:lower
  it.each([...ceilings, ["coreCpu", 0] as const, ["coreCpuLimit", 0] as const])(
    "%s below 0.1 is rejected",
    async (field) => {
      expect((await previewOf({ [field]: 0.09 })).refused).toEqual([`${SPEC}.${field}`]);
      expect((await previewOf({ [field]: 0.1 })).refused).toEqual([]);
    },
  );

  // @covers 2A.ResourceSpec.cpu, 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.queue_cpu
  // @covers 2A.ResourceSpec.queue_cpu_limit, 2A.ResourceSpec.redis_cpu, 2A.ResourceSpec.redis_cpu_limit, 8.cpu
  // @covers 8.queue_cpu, 8.redis_cpu, 8.cpu_limit, 8.queue_cpu_limit, 8.redis_cpu_limit
  // @covers 8.Self-hosted CPU and memory requests, 10A.ceilings
  it.each(ceilings)("%s above %d cores is a warning, as self-hosted servers may allow it", async (field, most) => {
    expect(await previewOf({ [field]: most })).toEqual({ refused: [], warned: [] });
    const { refused, warned } = await previewOf({ [field]: most + 1 });
    expect([refused, warned]).toEqual([[], [expect.stringContaining(`${SPEC}.${field}`)]]);
  });

  // @covers 2A.ResourceSpec.core_cpu, 2A.ResourceSpec.core_cpu_limit, 8.core_cpu, 8.core_cpu_limit
  it.each(["coreCpu", "coreCpuLimit"])("%s has no upper bound", async (field) => {
    expect(await previewOf({ [field]: 1000 })).toEqual({ refused: [], warned: [] });
  });

  const memory = ["memoryMb", "queueMemoryMb", "redisMemoryMb", "coreMemoryMb", "dbMemoryMb"];
  // @covers 2A.ResourceSpec:memory, 2A.ResourceSpec.memory_mb, 2A.ResourceSpec.memory_limit_mb
  // @covers 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb, 2A.ResourceSpec.redis_memory_mb
  // @covers 2A.ResourceSpec.redis_memory_limit_mb, 2A.ResourceSpec.core_memory_mb
  // @covers 2A.ResourceSpec.core_memory_limit_mb, 2A.ResourceSpec.db_memory_mb, 2A.ResourceSpec.db_memory_limit_mb
  // @covers 8.Self-hosted CPU and memory requests:granularity
  it.each(memory.flatMap((one) => [one, one.replace("Mb", "LimitMb")]))("%s is a multiple of 128", async (field) => {
    expect((await previewOf({ [field]: 1000 })).refused).toEqual([`${SPEC}.${field}`]);
    expect((await previewOf({ [field]: 0 })).refused).toEqual([`${SPEC}.${field}`]);
    expect((await previewOf({ [field]: 1024 })).refused).toEqual([]);
  });

  // @covers 2A.ResourceSpec.min_scale, 2A.ResourceSpec.max_scale, 2A.ResourceSpec.queue_min_scale
  // @covers 2A.ResourceSpec.queue_max_scale, 2A.ResourceSpec.db_storage_gi, 2A.ResourceSpec.db_max_connections
  it.each(["minScale", "maxScale", "queueMinScale", "queueMaxScale", "dbStorageGi", "dbMaxConnections"])(
    "%s must be a whole number",
    async (field) => {
      expect((await previewOf({ [field]: 1.5 })).refused).toEqual([`${SPEC}.${field}`]);
    },
  );

  // @covers 8.Self-hosted CPU and memory requests
  it.each([
    ...["memoryMb", "queueMemoryMb", "redisMemoryMb"].map((field) => [field, 16] as const),
    ...["memoryLimitMb", "queueMemoryLimitMb", "redisMemoryLimitMb"].map((field) => [field, 32] as const),
  ])("%s above %d GB causes a warning", async (field, gigabytes) => {
    const max = gigabytes * 1024;
    expect(await previewOf({ [field]: max })).toEqual({ refused: [], warned: [] });
    const { refused, warned } = await previewOf({ [field]: max + 128 });
    expect([refused, warned]).toEqual([
      [],
      [expect.stringMatching(`^warn: ${SPEC}\\.${field}: ${max + 128} is above ${max} MB`)],
    ]);
  });

  it.each([
    ...["cpu", "queueCpu", "redisCpu", "coreCpu", "dbCpu"].map((field) => [field, `${field}Limit`] as const),
    ...["memory", "queueMemory", "coreMemory", "dbMemory"].map((field) => [`${field}Mb`, `${field}LimitMb`] as const),
  ])("%s above its own limit %s causes a warning", async (request, limit) => {
    const [least, more] = request.endsWith("Mb") ? [128, 256] : [0.5, 1];
    expect((await previewOf({ [request]: least, [limit]: least })).warned).toEqual([]);
    const { refused, warned } = await previewOf({ [request]: more, [limit]: least });
    expect([refused, warned]).toEqual([[], [expect.stringContaining(`${limit}: ${least} is below ${request}`)]]);
  });

  // @covers 2A.ResourceSpec.db_cpu, 2A.ResourceSpec.db_cpu_limit
  it("a CPU that the server rounds to a decimal causes no drift and no change", async () => {
    const fields = ["cpu", "queueCpu", "redisCpu", "coreCpu", "dbCpu"].flatMap((field) => [field, `${field}Limit`]);
    const declared = dockerDeployment(withResourceSpec(Object.fromEntries(fields.map((field) => [field, 0.25]))));
    const { platform, stack, id } = await createDeployment(declared);
    const { source_config } = await platform.getDeployment(id);
    expect(source_config.resource_spec).toMatchObject({ cpu: 0.3, db_cpu: 0.3, db_cpu_limit: 0.3 });
    await expectClean(stack, declared);
  });

  it("a cache may have a limit that equals its request", async () => {
    const declared = dockerDeployment(withResourceSpec({ redisMemoryMb: 512, redisMemoryLimitMb: 512 }));
    expect(await preview(declared)).toEqual({ refused: [], warned: [] });
  });

  // @covers 2A.ResourceSpec.labels, 2A.ResourceSpec.annotations, 2A.LocalObjectReference.name, 2A.Volume.name
  // @covers 2A.Volume.emptyDir, 2A.VolumeMount.mountPath
  // @covers 2A.Container.name, 2A.Container.image, 2A.Container.imagePullPolicy, 2A.Container.resources
  // @covers 2A.Container.restartPolicy, 2A.EnvVar.name
  // @covers 2A.ResourceRequirements.limits, 2A.ResourceRequirements.requests
  it.each<[string, PropertyMap, string]>([
    ["a volume that is not a DNS label", { volumes: [{ name: "A_b" }] }, "volumes.0.name"],
    ["a volume name of 64 characters", { volumes: [{ name: "a".repeat(64) }] }, "volumes.0.name"],
    ["a free-form part that is a text", { volumes: [{ name: "a", emptyDir: "x" }] }, "volumes.0.emptyDir"],
    ["a mount without a path", { volumes: [{ name: "a" }], volumeMounts: [{ name: "a" }] }, "volumeMounts.0.mountPath"],
    ["a container without an image", { initContainers: [{ name: "a" }] }, "initContainers.0.image"],
    ["a container without a name", { sidecars: [{ image: "x:1" }] }, "sidecars.0.name"],
    ["a container that is not a DNS label", { sidecars: [{ ...side, name: "A" }] }, "sidecars.0.name"],
    ["an unknown pull policy", { sidecars: [{ ...side, imagePullPolicy: "Maybe" }] }, "sidecars.0.imagePullPolicy"],
    ["an unknown restart policy", { sidecars: [{ ...side, restartPolicy: "Never" }] }, "sidecars.0.restartPolicy"],
    ["a variable with a bad name", { sidecars: [{ ...side, env: [{ name: "1-A" }] }] }, "sidecars.0.env.0.name"],
    ["a number", { sidecars: [{ ...side, resources: { limits: { cpu: 1 } } }] }, "sidecars.0.resources.limits.cpu"],
    [
      "a request that is a number",
      { sidecars: [{ ...side, resources: { requests: { cpu: 1 } } }] },
      "sidecars.0.resources.requests.cpu",
    ],
    ["a pull secret without a name", { imagePullSecrets: [{}] }, "imagePullSecrets.0.name"],
    ["a label that is a number", { labels: { a: 1 } }, "labels.a"],
    ["an annotation that is a number", { annotations: { a: 1 } }, "annotations.a"],
  ])("%s is rejected", async (_what, resourceSpec, path) => {
    expect((await previewOf(resourceSpec)).refused).toEqual([`${SPEC}.${path}`]);
  });

  // @covers 2A.EnvVar.valueFrom
  it("a variable with an empty value may have valueFrom", async () => {
    const env = [{ name: "A", value: "", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }];
    expect((await previewOf({ sidecars: [{ ...side, env }] })).refused).toEqual([]);
  });
});
