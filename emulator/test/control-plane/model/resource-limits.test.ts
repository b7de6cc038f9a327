import { createDeployment, docker, start } from "../../support/emulator";

// API `8.Self-hosted CPU and memory requests`: what a self-hosted installation may exceed.
// @covers 8.Self-hosted CPU and memory requests, 8.Self-hosted CPU and memory requests:cache
test("a self-hosted installation accepts requests for CPU and memory beyond the former limits of the cloud", async () => {
  const client = await start({ edition: "self-hosted" });
  const resource_spec = {
    cpu: 24,
    cpu_limit: 48,
    queue_cpu: 9,
    queue_cpu_limit: 17,
    redis_cpu: 12,
    redis_cpu_limit: 20,
    memory_mb: 40960,
    memory_limit_mb: 81920,
    redis_memory_mb: 20480,
  };
  const { source_config } = await createDeployment(client, docker("agent", { source_config: { resource_spec } }));
  expect(source_config.resource_spec).toMatchObject(resource_spec);
  const wrong = { redis_memory_mb: 20480, redis_memory_limit_mb: 10240 };
  const response = await client.post("/v2/deployments", docker("b", { source_config: { resource_spec: wrong } }));
  expect(response).toMatchObject({
    status: 422,
    body: { detail: [{ loc: expect.arrayContaining(["redis_memory_limit_mb"]) }] },
  });
});
