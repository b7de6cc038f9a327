/** Each field of a resource spec as it is sent, and fields whose text looks like something else. */
import type { PropertyMap } from "../../../../../provider/schema/schema";
import { specFields } from "../../../../support/arbitraries/resource-spec";
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, withResourceSpec } from "../../../../support/deployments/inputs";
import { interrupted } from "../../../../support/deployments/interrupted";
import { expectClean, stateOf } from "../../../../support/stack";

const volumes = [{ name: "data", emptyDir: {} }];
const container = { name: "side", image: "x:1", env: [{ name: "A", value: "1" }], imagePullPolicy: "Always" };

/** Every field of the ResourceSpec with a value, which is sent unchanged. */
const fields: PropertyMap = {
  ...{ minScale: 1, maxScale: 3, cpu: 0.5, cpuLimit: 1.5, memoryMb: 1024, memoryLimitMb: 1280 },
  ...{ queueMinScale: 2, queueMaxScale: 4, queueCpu: 0.3, queueCpuLimit: 0.9 },
  ...{ queueMemoryMb: 512, queueMemoryLimitMb: 640 },
  ...{ redisCpu: 0.2, redisCpuLimit: 0.7, redisMemoryMb: 256, redisMemoryLimitMb: 384 },
  ...{ coreCpu: 20, coreCpuLimit: 50, coreMemoryMb: 128, coreMemoryLimitMb: 384 },
  ...{ labels: { "example.com/team_name": "a" }, annotations: { camelCase: "b" }, serviceAccountName: "agent" },
  ...{ imagePullSecrets: [{ name: "registry" }], volumes, initContainers: [container] },
  volumeMounts: [{ name: "data", mountPath: "/d", subPathExpr: "$(A)", readOnly: true }],
  sidecars: [{ ...container, restartPolicy: "OnFailure", envFrom: [{ secretRef: { a_b: 1 } }] }],
  ...{ dbCpu: 1.5, dbCpuLimit: 2.5, dbMemoryMb: 2048, dbMemoryLimitMb: 2176, dbStorageGi: 20, dbMaxConnections: 200 },
};

// @covers 2A.ResourceSpec, 2A.ResourceSpec.min_scale, 2A.ResourceSpec.max_scale, 2A.ResourceSpec.cpu
// @covers 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.memory_mb, 2A.ResourceSpec.memory_limit_mb
// @covers 2A.ResourceSpec.queue_min_scale, 2A.ResourceSpec.queue_max_scale, 2A.ResourceSpec.queue_cpu
// @covers 2A.ResourceSpec.queue_cpu_limit, 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb
// @covers 2A.ResourceSpec.redis_cpu, 2A.ResourceSpec.redis_cpu_limit, 2A.ResourceSpec.redis_memory_mb
// @covers 2A.ResourceSpec.redis_memory_limit_mb, 2A.ResourceSpec.core_cpu, 2A.ResourceSpec.core_cpu_limit
// @covers 2A.ResourceSpec.core_memory_mb, 2A.ResourceSpec.core_memory_limit_mb, 2A.ResourceSpec:derived
// @covers 2A.ResourceSpec.labels, 2A.ResourceSpec.annotations, 2A.ResourceSpec.service_account_name
// @covers 2A.ResourceSpec.image_pull_secrets, 2A.ResourceSpec.volumes, 2A.ResourceSpec.volume_mounts
// @covers 2A.ResourceSpec.init_containers, 2A.ResourceSpec.sidecars, 2A.ResourceSpec.db_cpu
// @covers 2A.ResourceSpec.db_cpu_limit, 2A.ResourceSpec.db_memory_mb, 2A.ResourceSpec.db_memory_limit_mb
// @covers 2A.ResourceSpec.db_storage_gi, 2A.ResourceSpec.db_max_connections, 2A.Volume:untouched
// @covers 2A.VolumeMount.readOnly, 2A.VolumeMount.subPathExpr, 2A.Container.envFrom, 2A.Container.env
// @covers 2A.Container.restartPolicy, 2A.EnvVar.value
it("every field of a resource spec is sent and has no drift", async () => {
  expect(Object.keys(fields).sort()).toEqual([...specFields].sort());
  const { platform, stack } = await startDeployment();
  const inputs = dockerDeployment(withResourceSpec(fields));
  await stack.up(inputs);
  const toSnakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const resource_spec = Object.fromEntries(Object.entries(fields).map(([key, value]) => [toSnakeCase(key), value]));
  const [create] = platform.emulator.requestLog.entries({ method: "POST" });
  expect(create?.body).toMatchObject({ source_config: { resource_spec } });
  await expectClean(stack, inputs);
  expect(stateOf(stack).inputs).toMatchObject(inputs);
});

it("Deployment: labels whose keys contain dots are removed when they are no longer declared", async () => {
  const { platform, stack } = await createDeployment(
    dockerDeployment(withResourceSpec({ minScale: 1, labels: { "a.b": "1" } })),
  );
  await stack.up(dockerDeployment(withResourceSpec({ minScale: 1 })));
  const { resource_spec } = (await platform.getDeployment(stateOf(stack).id)).source_config;
  expect(resource_spec.labels ?? undefined).toBeUndefined();
});

it("Deployment: a secret with the value * is not masked: drift and an interrupted run are recognized", async () => {
  const declared = dockerDeployment({ secrets: { ORIGINS: "*", KEY: "1" } });
  const { platform, stack, id } = await interrupted({}, declared);
  await platform.advance(60_000);
  const { id: resumed, outputs } = await stack.stateAfter(declared);
  expect(resumed).toBe(id);
  const marker = { name: "PULUMI_RESOURCE", value: outputs.__owner };
  await platform.updateOutOfBand(id, {
    secrets: [marker, { name: "ORIGINS", value: "*" }, { name: "KEY", value: "2" }],
  });
  expect(await stack.refresh()).toBe("changed");
});
