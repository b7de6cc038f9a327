import { docker, start, startDeployment } from "../../support/emulator";

const parts = ["", "queue_", "redis_", "core_", "db_"];
const numbers = [
  ...["min_scale", "max_scale", "queue_min_scale", "queue_max_scale", "db_storage_gi", "db_max_connections"],
  ...parts.flatMap((part) => ["cpu", "cpu_limit", "memory_mb", "memory_limit_mb"].map((field) => part + field)),
];

/** Every field of API `2A.ResourceSpec`, with a valid and an invalid value. */
const fields: [field: string, value: unknown, wrong: unknown][] = [
  ...numbers.map((field): [string, unknown, unknown] => [field, field.includes("memory") ? 256 : 2, "much"]),
  ["labels", { team: "a/b" }, { team: 1 }],
  ["annotations", { "example.com/note": "b" }, "text"],
  ["service_account_name", "agent", 5],
  ["image_pull_secrets", [{ name: "registry" }], [{}]],
  ["volumes", [{ name: "data", emptyDir: {} }], {}],
  ["volume_mounts", [], [{ name: "data" }]],
  ["init_containers", [{ name: "first", image: "x:1" }], [{ name: "first" }]],
  ["sidecars", [{ name: "side", image: "x:1" }], [{ image: "x:1" }]],
];

const deploymentWith = (resource_spec: object) => docker("agent", { source_config: { resource_spec } });

// @covers 2A.ResourceSpec.min_scale, 2A.ResourceSpec.max_scale, 2A.ResourceSpec.cpu, 2A.ResourceSpec.cpu_limit
// @covers 2A.ResourceSpec.memory_mb, 2A.ResourceSpec.memory_limit_mb, 2A.ResourceSpec.queue_min_scale
// @covers 2A.ResourceSpec.queue_max_scale, 2A.ResourceSpec.queue_cpu, 2A.ResourceSpec.queue_cpu_limit
// @covers 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb, 2A.ResourceSpec.redis_cpu
// @covers 2A.ResourceSpec.redis_cpu_limit, 2A.ResourceSpec.redis_memory_mb, 2A.ResourceSpec.redis_memory_limit_mb
// @covers 2A.ResourceSpec.core_cpu, 2A.ResourceSpec.core_cpu_limit, 2A.ResourceSpec.core_memory_mb
// @covers 2A.ResourceSpec.core_memory_limit_mb, 2A.ResourceSpec.labels, 2A.ResourceSpec.annotations
// @covers 2A.ResourceSpec.service_account_name, 2A.ResourceSpec.image_pull_secrets, 2A.ResourceSpec.volumes
// @covers 2A.ResourceSpec.volume_mounts, 2A.ResourceSpec.init_containers, 2A.ResourceSpec.sidecars
// @covers 2A.ResourceSpec.db_cpu, 2A.ResourceSpec.db_cpu_limit, 2A.ResourceSpec.db_memory_mb
// @covers 2A.ResourceSpec.db_memory_limit_mb, 2A.ResourceSpec.db_storage_gi, 2A.ResourceSpec.db_max_connections
// @covers 2A.ResourceSpec
test.each(fields)("%s is stored, may be null or absent, and rejects another type", async (field, value, wrong) => {
  const { client, id } = await startDeployment({ strict: true }, deploymentWith({ [field]: value }));
  const path = `/v2/deployments/${id}`;
  expect((await client.get(path)).body.source_config.resource_spec).toHaveProperty(field, value);
  for (const resource_spec of [{ [field]: null }, {}])
    expect((await client.patch(path, { source_config: { resource_spec } })).status).toBe(200);
  const { status, body } = await client.post("/v2/deployments", deploymentWith({ [field]: wrong }));
  expect(status).toBe(422);
  expect(body.detail[0]?.loc.slice(0, 4)).toEqual(["body", "source_config", "resource_spec", field]);
});

describe("the CPU of a resource spec", () => {
  const bounded: [string, number][] = [
    ...["cpu", "queue_cpu", "redis_cpu"].map((field): [string, number] => [field, 8]),
    ...["cpu_limit", "queue_cpu_limit", "redis_cpu_limit"].map((field): [string, number] => [field, 16]),
    ["core_cpu", Number.POSITIVE_INFINITY],
    ["core_cpu_limit", Number.POSITIVE_INFINITY],
  ];
  // @covers 2A.ResourceSpec.cpu, 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.queue_cpu
  // @covers 2A.ResourceSpec.queue_cpu_limit, 2A.ResourceSpec.redis_cpu, 2A.ResourceSpec.redis_cpu_limit
  // @covers 2A.ResourceSpec.core_cpu, 2A.ResourceSpec.core_cpu_limit, 8.cpu, 8.queue_cpu, 8.redis_cpu, 8.cpu_limit
  // @covers 8.queue_cpu_limit, 8.redis_cpu_limit, 8.core_cpu, 8.core_cpu_limit
  test.each(bounded)("in %s is at least 0.1 and at most %d", async (field, maximum) => {
    const client = await start({ strict: true });
    // The second valid request returns 409, because the name exists by then.
    const send = async (cores: number) =>
      (await client.post("/v2/deployments", deploymentWith({ [field]: cores }))).status === 422;
    expect([await send(0.1), await send(0.09)]).toEqual([false, true]);
    if (maximum === Number.POSITIVE_INFINITY) expect(await send(1000)).toBe(false);
    else expect([await send(maximum), await send(maximum + 0.1)]).toEqual([false, true]);
  });

  // @covers 2A.ResourceSpec:cpu
  test.each(fields.filter(([field]) => /cpu(_limit)?$/.test(field)))("in %s has one decimal", async (field) => {
    const { source_config } = await startDeployment({ strict: true }, deploymentWith({ [field]: 2.26 }));
    expect(source_config.resource_spec).toHaveProperty(field, 2.3);
  });
});

const memory = fields.filter(([field]) => field.includes("memory"));

// @covers 2A.ResourceSpec:memory, 2A.ResourceSpec.memory_mb, 2A.ResourceSpec.memory_limit_mb
// @covers 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb, 2A.ResourceSpec.redis_memory_mb
// @covers 2A.ResourceSpec.redis_memory_limit_mb, 2A.ResourceSpec.core_memory_mb, 2A.ResourceSpec.core_memory_limit_mb
// @covers 2A.ResourceSpec.db_memory_mb, 2A.ResourceSpec.db_memory_limit_mb
// @covers 8.Self-hosted CPU and memory requests:granularity
test.each(memory)("%s is a multiple of 128 MB, even without other limits", async (field) => {
  const client = await start({ edition: "self-hosted" });
  const send = async (mb: number) => (await client.post("/v2/deployments", deploymentWith({ [field]: mb }))).status;
  expect([await send(1000), await send(0)]).toEqual([422, 422]);
  expect(await send(128 * 1024)).toBe(201);
});
