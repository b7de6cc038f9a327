/** Which resource specs of a Deployment a preview rejects or warns about, and what servers choose in them. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withResourceSpec } from "../../../../support/deployments/inputs";
import { preview } from "../../../../support/deployments/previewed";
import { startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { expectClean, startStack, stateOf } from "../../../../support/stack";

const SPEC = "sourceConfig.resourceSpec";
const side = { name: "side", image: "x:1" };

const previewOf = (spec: PropertyMap) => preview(dockerDeployment(withResourceSpec(spec)));

const withLimits = (...fields: string[]) => fields.flatMap((field) => [field, field.replace(/(Mb)?$/, "Limit$1")]);
const CPUS = withLimits("cpu", "queueCpu", "redisCpu", "coreCpu");
const MEMORIES = withLimits("memoryMb", "queueMemoryMb", "redisMemoryMb", "coreMemoryMb", "dbMemoryMb");
const COUNTS = ["minScale", "maxScale", "queueMinScale", "queueMaxScale", "dbStorageGi", "dbMaxConnections"];

describe("Deployment: in a resource spec", () => {
  // @covers 2A.ResourceSpec.cpu, 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.queue_cpu
  // @covers 2A.ResourceSpec.queue_cpu_limit, 2A.ResourceSpec.redis_cpu, 2A.ResourceSpec.redis_cpu_limit
  // @covers 2A.ResourceSpec.core_cpu, 2A.ResourceSpec.core_cpu_limit, 8.cpu, 8.queue_cpu, 8.redis_cpu, 8.cpu_limit
  // @covers 8.queue_cpu_limit, 8.redis_cpu_limit, 8.core_cpu, 8.core_cpu_limit
  // @covers 8.Self-hosted CPU and memory requests:lower, 8.Self-hosted CPU and memory requests:granularity
  // @covers 2A.ResourceSpec:memory, 2A.ResourceSpec.memory_mb, 2A.ResourceSpec.memory_limit_mb
  // @covers 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb, 2A.ResourceSpec.redis_memory_mb
  // @covers 2A.ResourceSpec.redis_memory_limit_mb, 2A.ResourceSpec.core_memory_mb
  // @covers 2A.ResourceSpec.core_memory_limit_mb, 2A.ResourceSpec.db_memory_mb, 2A.ResourceSpec.db_memory_limit_mb
  // @covers 2A.ResourceSpec.min_scale, 2A.ResourceSpec.max_scale, 2A.ResourceSpec.queue_min_scale
  // @covers 2A.ResourceSpec.queue_max_scale, 2A.ResourceSpec.db_storage_gi, 2A.ResourceSpec.db_max_connections
  it.each<[string, accepted: number, ...rejected: number[]]>([
    ...CPUS.map((field): [string, number, number] => [field, 0.1, 0.09]),
    ...MEMORIES.map((field): [string, number, number, number] => [field, 1024, 1000, 0]),
    ...COUNTS.map((field): [string, number, number] => [field, 3, 1.5]),
  ])("%s may be %d, and neither less than 0.1 cores nor a part of 128 MB or of 1", async (field, ...values) => {
    const refused = await Promise.all(values.map(async (value) => (await previewOf({ [field]: value })).refused));
    expect(refused).toEqual(values.map((_, index) => (index === 0 ? [] : [`${SPEC}.${field}`])));
  });

  // @covers 8.Self-hosted CPU and memory requests, 10A.ceilings
  it.each<[string, most: number, more: number]>([
    ...["cpu", "queueCpu", "redisCpu"].map((field): [string, number, number] => [field, 8, 9]),
    ...["cpuLimit", "queueCpuLimit", "redisCpuLimit"].map((field): [string, number, number] => [field, 16, 17]),
    ...MEMORIES.slice(0, 6).map((field): [string, number, number] =>
      field.includes("Limit") ? [field, 32 * 1024, 32 * 1024 + 128] : [field, 16 * 1024, 16 * 1024 + 128],
    ),
  ])("%s above %d is a warning, as self-hosted servers may allow it", async (field, most, more) => {
    expect(await previewOf({ [field]: most })).toEqual({ refused: [], warned: [] });
    const { refused, warned } = await previewOf({ [field]: more });
    expect([refused, warned]).toEqual([[], [expect.stringContaining(`${SPEC}.${field}: ${more} is above ${most} `)]]);
  });

  it.each(["coreCpu", "coreCpuLimit"])("%s has no upper bound", async (field) => {
    expect(await previewOf({ [field]: 1000 })).toEqual({ refused: [], warned: [] });
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
  it("a cache limit may equal its request, and a variable with an empty value may have valueFrom", async () => {
    expect(await previewOf({ redisMemoryMb: 512, redisMemoryLimitMb: 512 })).toEqual({ refused: [], warned: [] });
    const env = [{ name: "A", value: "", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }];
    expect((await previewOf({ sidecars: [{ ...side, env }] })).refused).toEqual([]);
  });
});

describe("Deployment: on a server that raises replicas and fills in the database", () => {
  const CHOSEN = { min_scale: 2, db_cpu: 1, db_memory_mb: 2048 };
  const start = async (spec: PropertyMap) => {
    const platform = await startPlatform();
    const proxy = await startRewritingProxy(platform, ({ source_config: { resource_spec: spec } }) => {
      if (spec) Object.assign(spec, { ...CHOSEN, ...spec, min_scale: Math.max(2, Number(spec.min_scale ?? 1)) });
    });
    const stack = await startStack(proxy, dockerDeployment(withResourceSpec(spec)));
    const sentSpec = () =>
      platform.emulator.requestLog.entries({ method: "PATCH" }).map(({ body }) => Object(body).source_config);
    return { platform, stack, sentSpec };
  };

  it("the raised value makes no difference, and no revision with each refresh", async () => {
    const { platform, stack } = await start({ minScale: 1, cpu: 1 });
    await expectClean(stack, dockerDeployment(withResourceSpec({ minScale: 1, cpu: 1 })));
    expect(await stack.up(dockerDeployment(withResourceSpec({ minScale: 2, cpu: 1 })))).toBe("update");
    expect(platform.requests({ method: "PATCH" })).toEqual([]);
  });

  it("a third value is one that others set, and is replaced with the declared one", async () => {
    const { platform, stack, sentSpec } = await start({ minScale: 1 });
    const spec = { min_scale: 5 };
    await platform.call("PATCH", `/v2/deployments/${stateOf(stack).id}`, { source_config: { resource_spec: spec } });
    await platform.emulator.requestLog.clear();
    expect(await stack.refresh()).toBe("changed");
    expect(await stack.up(dockerDeployment(withResourceSpec({ minScale: 1 })))).toBe("update");
    expect(sentSpec()).toEqual([{ resource_spec: { min_scale: 1 } }]);
  });

  it("what it filled in is not sent back, and what others set is", async () => {
    const { platform, stack, sentSpec } = await start({ minScale: 1, cpu: 1 });
    await stack.up(dockerDeployment(withResourceSpec({ minScale: 1, cpu: 2 })));
    expect(stack.messages.join()).not.toContain("still holds");
    const spec = { min_scale: 1, cpu: 2, db_cpu: 4 };
    await platform.call("PATCH", `/v2/deployments/${stateOf(stack).id}`, { source_config: { resource_spec: spec } });
    await stack.up(dockerDeployment(withResourceSpec({ minScale: 1, cpu: 3 })));
    await stack.up(dockerDeployment(withResourceSpec({ minScale: 1, cpu: 4 })));
    expect(sentSpec()).toEqual(
      [{ cpu: 2 }, { cpu: 2, db_cpu: 4 }, { cpu: 3, db_cpu: 4 }, { cpu: 4, db_cpu: 4 }].map((one) => ({
        resource_spec: { min_scale: 1, ...one },
      })),
    );
  });
});
