import { createDeployment, docker, start } from "../../support/emulator";
import { expectError } from "../../support/rejections";

// API `8.Self-hosted CPU and memory requests`: what a self-hosted installation may exceed.
// @covers 8.Self-hosted CPU and memory requests, 8.Self-hosted CPU and memory requests:cache
test("a self-hosted installation accepts CPU and memory beyond the former limits of the cloud", async () => {
  const client = await start({ edition: "self-hosted" });
  const resource_spec = {
    ...{ cpu: 24, cpu_limit: 48, queue_cpu: 9, queue_cpu_limit: 17, redis_cpu: 12, redis_cpu_limit: 20 },
    ...{ memory_mb: 40960, memory_limit_mb: 81920, redis_memory_mb: 20480 },
  };
  const { source_config } = await createDeployment(client, docker("agent", { source_config: { resource_spec } }));
  expect(source_config.resource_spec).toMatchObject(resource_spec);
  const wrong = { redis_memory_mb: 20480, redis_memory_limit_mb: 10240 };
  const response = await client.post("/v2/deployments", docker("b", { source_config: { resource_spec: wrong } }));
  expectError(response, 422, [{ loc: expect.arrayContaining(["redis_memory_limit_mb"]) }]);
});

test.each([
  [{ cpu: "1" }, "cpu"],
  [{ cpu: true }, "cpu"],
  [{ memory_mb: "1024" }, "memory_mb"],
  [{ max_scale: true }, "max_scale"],
  [{ min_scale: -2 }, "min_scale"],
  [{ queue_max_scale: -1 }, "queue_max_scale"],
  [{ cpu: 2, cpu_limit: 1 }, "cpu_limit"],
  [{ memory_mb: 1024, memory_limit_mb: 512 }, "memory_limit_mb"],
  [{ db_cpu: 2, db_cpu_limit: 1 }, "db_cpu_limit"],
  [{ core_memory_mb: 1024, core_memory_limit_mb: 512 }, "core_memory_limit_mb"],
  [{ min_scale: 3, max_scale: 2 }, "max_scale"],
])("a strict server rejects %j, which others convert or accept", async (resource_spec, field) => {
  const body = docker("agent", { source_config: { resource_spec } });
  const response = await (await start({ strict: true })).post("/v2/deployments", body);
  expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: expect.arrayContaining([field]) }] } });
  expect(await (await start()).post("/v2/deployments", body)).toMatchObject({ status: 201 });
});
