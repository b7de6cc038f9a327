/** Each field of a resource spec as it is sent. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment, withResourceSpec } from "../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

const folder = mkdtempSync(join(tmpdir(), "interface-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bodies = ({ emulator }: Platform, method: string) =>
  emulator.requestLog.entries({ method }).map(({ body }) => body as Record<string, unknown>);

const volumes = [{ name: "data", emptyDir: {} }];
const container = { name: "side", image: "x:1", env: [{ name: "A", value: "1" }], imagePullPolicy: "Always" };

/** Every field of the ResourceSpec with a value, which is sent unchanged. */
const fields: [field: string, wire: string, value: unknown, more?: PropertyMap][] = [
  ["minScale", "min_scale", 1],
  ["maxScale", "max_scale", 3],
  ["cpu", "cpu", 0.5],
  ["cpuLimit", "cpu_limit", 1.5],
  ["memoryMb", "memory_mb", 1024],
  ["memoryLimitMb", "memory_limit_mb", 1280],
  ["queueMinScale", "queue_min_scale", 2],
  ["queueMaxScale", "queue_max_scale", 4],
  ["queueCpu", "queue_cpu", 0.3],
  ["queueCpuLimit", "queue_cpu_limit", 0.9],
  ["queueMemoryMb", "queue_memory_mb", 512],
  ["queueMemoryLimitMb", "queue_memory_limit_mb", 640],
  ["redisCpu", "redis_cpu", 0.2],
  ["redisCpuLimit", "redis_cpu_limit", 0.7],
  ["redisMemoryMb", "redis_memory_mb", 256],
  ["redisMemoryLimitMb", "redis_memory_limit_mb", 384],
  ["coreCpu", "core_cpu", 20],
  ["coreCpuLimit", "core_cpu_limit", 50],
  ["coreMemoryMb", "core_memory_mb", 128],
  ["coreMemoryLimitMb", "core_memory_limit_mb", 384],
  ["labels", "labels", { "example.com/team_name": "a" }],
  ["annotations", "annotations", { camelCase: "b" }],
  ["serviceAccountName", "service_account_name", "agent"],
  ["imagePullSecrets", "image_pull_secrets", [{ name: "registry" }]],
  ["volumes", "volumes", volumes],
  [
    "volumeMounts",
    "volume_mounts",
    [{ name: "data", mountPath: "/d", subPathExpr: "$(A)", readOnly: true }],
    { volumes },
  ],
  ["initContainers", "init_containers", [container]],
  ["sidecars", "sidecars", [{ ...container, restartPolicy: "OnFailure", envFrom: [{ secretRef: { a_b: 1 } }] }]],
  ["dbCpu", "db_cpu", 1.5],
  ["dbCpuLimit", "db_cpu_limit", 2.5],
  ["dbMemoryMb", "db_memory_mb", 2048],
  ["dbMemoryLimitMb", "db_memory_limit_mb", 2176],
  ["dbStorageGi", "db_storage_gi", 20],
  ["dbMaxConnections", "db_max_connections", 200],
];

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
it.each(fields)("resourceSpec.%s is sent as %s and has no drift", async (field, apiField, value, more = {}) => {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  const inputs = dockerDeployment(withResourceSpec({ ...more, [field]: value }));
  await stack.up(inputs);
  expect(bodies(platform, "POST")[0]?.source_config).toEqual({ resource_spec: { ...more, [apiField]: value } });
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).inputs).toMatchObject(withResourceSpec({ [field]: value }));
  expect(await stack.up(inputs)).toBe("same");
});
