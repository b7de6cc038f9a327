import fc from "fast-check";
import { start, startDeployment } from "../../support/emulator";
import { runs } from "../../support/for-all";
import { specErrors, specWithDefaults } from "./resource-spec";

const cpu = fc.integer({ min: 10, max: 800 }).map((hundredths) => hundredths / 100);
const memory = fc.integer({ min: 1, max: 64 }).map((steps) => steps * 128);
const all = <T>(names: string, value: T) => Object.fromEntries(names.split(" ").map((name) => [name, value]));
/** Valid specs with any of their fields set. */
const specs: fc.Arbitrary<Partial<Record<string, number>>> = fc
  .record(
    {
      ...all("cpu cpu_limit queue_cpu redis_cpu core_cpu core_cpu_limit db_cpu", cpu),
      ...all("memory_mb memory_limit_mb queue_memory_mb core_memory_mb db_memory_mb", memory),
      ...all("redis_memory_mb redis_memory_limit_mb", memory),
      ...all("min_scale max_scale queue_min_scale", fc.nat(20)),
    },
    { requiredKeys: [] },
  )
  .filter(({ redis_memory_mb: low = 0, redis_memory_limit_mb: high = low }) => low <= high);

test("a resource spec keeps its values, and does not change when it is sent back", async () => {
  // A strict server rejects a limit below its request.
  const { client, id } = await startDeployment();
  const send = async (resource_spec: object): Promise<Record<string, number>> => {
    const response = await client.patch(`/v2/deployments/${id}`, { source_config: { resource_spec } });
    expect(response).toMatchObject({ status: 200 });
    return response.body.source_config.resource_spec as Record<string, number>;
  };
  await fc.assert(
    fc.asyncProperty(specs, async (spec) => {
      const returnedSpec = await send(spec);
      for (const [field, value = 0] of Object.entries(spec)) {
        // CPU comes back rounded to one decimal.
        expect(Math.abs((returnedSpec[field] ?? 0) - value)).toBeLessThanOrEqual(field.includes("cpu") ? 0.0501 : 0);
      }
      expect(await send(returnedSpec)).toEqual(returnedSpec);
    }),
    runs(160),
  );
});

describe("defaults of a resource spec", () => {
  // Each field alone, with values that no other field or factor would produce.
  // @covers 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.memory_limit_mb, 2A.ResourceSpec.queue_min_scale
  // @covers 2A.ResourceSpec.queue_max_scale, 2A.ResourceSpec.queue_cpu, 2A.ResourceSpec.queue_cpu_limit
  // @covers 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb, 2A.ResourceSpec.redis_cpu_limit
  // @covers 2A.ResourceSpec.redis_memory_limit_mb, 2A.ResourceSpec.core_cpu_limit
  // @covers 2A.ResourceSpec.core_memory_limit_mb, 2A.ResourceSpec.db_cpu_limit, 2A.ResourceSpec.db_memory_limit_mb
  test.each<[field: string, expected: number, spec: Record<string, number>]>([
    ["cpu_limit", 3, { cpu: 1.5, queue_cpu: 1 }],
    ["memory_limit_mb", 1024, { memory_mb: 512, queue_memory_mb: 128 }],
    ["queue_min_scale", 2, { min_scale: 2, max_scale: 5 }],
    ["queue_max_scale", 5, { min_scale: 2, max_scale: 5 }],
    ["queue_cpu", 1.5, { cpu: 1.5, cpu_limit: 4 }],
    ["queue_cpu_limit", 1, { cpu: 1.5, cpu_limit: 4, queue_cpu: 0.5 }],
    ["queue_memory_mb", 512, { memory_mb: 512, memory_limit_mb: 640 }],
    ["queue_memory_limit_mb", 256, { memory_mb: 512, memory_limit_mb: 640, queue_memory_mb: 128 }],
    ["redis_cpu_limit", 4, { cpu: 1, redis_cpu: 2 }],
    ["redis_memory_limit_mb", 256, { memory_mb: 512, redis_memory_mb: 256 }],
    ["core_cpu_limit", 0.8, { cpu: 1, core_cpu: 0.4 }],
    ["core_memory_limit_mb", 256, { memory_mb: 512, core_memory_mb: 128 }],
    ["db_cpu_limit", 5, { cpu: 1, db_cpu: 2.5 }],
    ["db_memory_limit_mb", 768, { memory_mb: 512, db_memory_mb: 384 }],
  ])("set %s to %d for %j, and leave it unset without its base", async (field, expected, spec) => {
    expect(await specWithDefaults(spec)).toHaveProperty(field, expected);
    expect(await specWithDefaults({ labels: { a: "b" } })).not.toHaveProperty(field);
  });

  test.each([
    [{}, {}],
    [
      { cpu: null, memory_mb: null },
      { cpu: null, memory_mb: null },
    ],
    [
      { cpu: 1, cpu_limit: 1.5 },
      { cpu: 1, cpu_limit: 1.5, queue_cpu: 1, queue_cpu_limit: 2 },
    ],
  ])("complete %j as %j", async (spec, expected) => {
    expect(await specWithDefaults(spec)).toEqual(expected);
  });
});

// @covers 8.Self-hosted CPU and memory requests:lower
test("bounds of a resource spec are only the lower ones on a self-hosted installation", async () => {
  const client = await start({ edition: "self-hosted" });
  expect(await specErrors(client, { cpu: 0.01, memory_mb: 129 })).toEqual([
    ["cpu", "greater_than_equal"],
    ["memory_mb", "multiple_of"],
  ]);
});
