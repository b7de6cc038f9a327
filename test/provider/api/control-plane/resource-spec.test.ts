import fc from "fast-check";
import { forAll } from "../../../../emulator/test/support/for-all";
import {
  derivedDefaults,
  derivedValue,
  type ResourceSpec,
  specOfOthers,
} from "../../../../provider/api/control-plane/resource-spec";

/** A PATCH overwrites the whole spec. */
describe("specOfOthers", () => {
  // @covers 2A.ResourceSpec:overwrite, 2A.ResourceSpec:derived
  it.each<[string, object, ResourceSpec, ResourceSpec, ResourceSpec]>([
    ["returns the desired spec where the remote one is empty", {}, {}, { cpu: 1 }, { cpu: 1 }],
    ["keeps fields of others", { cpu: 1, redisCpu: 3 }, { cpu: 1 }, { cpu: 2 }, { cpu: 2, redisCpu: 3 }],
    [
      "omits fields that the server derived, so that it derives them again",
      { cpu: 1, cpuLimit: 2, queueCpu: 1, queueCpuLimit: 2, memoryMb: 512, memoryLimitMb: 1024 },
      { cpu: 1, memoryMb: 512 },
      { cpu: 2, memoryMb: 512 },
      { cpu: 2, memoryMb: 512 },
    ],
    ["keeps a limit that is not derived", { cpu: 1, cpuLimit: 3 }, { cpu: 1 }, { cpu: 1.5 }, { cpu: 1.5, cpuLimit: 3 }],
    ["removes undeclared fields", { cpu: 1, maxScale: 3 }, { cpu: 1, maxScale: 3 }, { cpu: 1 }, { cpu: 1 }],
    ["recognizes what a rounded CPU leads to", { cpu: 0.3, cpuLimit: 0.6 }, { cpu: 0.3 }, { cpu: 0.3 }, { cpu: 0.3 }],
    ["ignores null", { cpu: null, redisCpu: null }, {}, { memoryMb: 128 }, { memoryMb: 128 }],
  ])("%s", (_what, remote, previous, desired, sent) => {
    expect({ ...specOfOthers(remote, previous), ...desired }).toEqual(sent);
  });

  /** API `2A.ResourceSpec`: a field, its base field and the factor. */
  const rules: [field: keyof ResourceSpec, base: keyof ResourceSpec, factor: number][] = [
    ["cpuLimit", "cpu", 2],
    ["memoryLimitMb", "memoryMb", 2],
    ["queueMinScale", "minScale", 1],
    ["queueMaxScale", "maxScale", 1],
    ["queueCpu", "cpu", 1],
    ["queueCpuLimit", "queueCpu", 2],
    ["queueMemoryMb", "memoryMb", 1],
    ["queueMemoryLimitMb", "queueMemoryMb", 2],
    ["redisCpuLimit", "redisCpu", 2],
    ["redisMemoryLimitMb", "redisMemoryMb", 1],
    ["coreCpuLimit", "coreCpu", 2],
    ["coreMemoryLimitMb", "coreMemoryMb", 2],
    ["dbCpuLimit", "dbCpu", 2],
    ["dbMemoryLimitMb", "dbMemoryMb", 2],
  ];

  // @covers 2A.ResourceSpec.cpu_limit, 2A.ResourceSpec.memory_limit_mb, 2A.ResourceSpec.queue_min_scale
  // @covers 2A.ResourceSpec.queue_max_scale, 2A.ResourceSpec.queue_cpu, 2A.ResourceSpec.queue_cpu_limit
  // @covers 2A.ResourceSpec.queue_memory_mb, 2A.ResourceSpec.queue_memory_limit_mb, 2A.ResourceSpec.redis_cpu_limit
  // @covers 2A.ResourceSpec.redis_memory_limit_mb, 2A.ResourceSpec.core_cpu_limit
  // @covers 2A.ResourceSpec.core_memory_limit_mb, 2A.ResourceSpec.db_cpu_limit, 2A.ResourceSpec.db_memory_limit_mb
  it.each(rules)("omits %s where it equals %s times %d", (field, base, factor) => {
    const server = { [base]: 4, [field]: 4 * factor };
    expect(specOfOthers(server, { [base]: 4 })).toEqual({});
  });

  it.each(rules)(
    "keeps %s where it does not equal %s times %d, but another multiple or a multiple of another field",
    (field, base, factor) => {
      for (const other of [1, 2, 3].filter((candidate) => candidate !== factor))
        expect(specOfOthers({ [base]: 4, [field]: 4 * other })).toHaveProperty(field, 4 * other);
      const bases = new Set(rules.map(([, of]) => of));
      for (const another of bases)
        if (another !== base && another !== field)
          expect(specOfOthers({ [another]: 4, [base]: 7, [field]: 4 * factor })).toHaveProperty(field, 4 * factor);
    },
  );

  it("has exactly the derived defaults of the interface", () => {
    expect(Object.keys(derivedDefaults).sort()).toEqual(rules.map(([field]) => field).sort());
  });

  it("always contains all desired fields, and none that were removed", () => {
    const field = fc.constantFrom(...Object.keys(derivedDefaults), "cpu", "memoryMb", "minScale", "redisCpu");
    const spec = fc.dictionary(field, fc.nat(9), { noNullPrototype: true });
    forAll(spec, spec, spec, (remote, previous, desired) => {
      const sent: Record<string, unknown> = { ...specOfOthers(remote, previous), ...desired };
      expect(sent).toMatchObject(desired);
      const removed = Object.keys(previous).filter((name) => !(name in desired));
      expect(removed.filter((name) => name in sent)).toEqual([]);
    });
  });
});

it.each<[ResourceSpec, keyof ResourceSpec, number | undefined]>([
  [{ cpu: 1.5 }, "cpuLimit", 3],
  [{ cpu: 1.5 }, "queueCpuLimit", 3],
  [{ cpu: 1.5, queueCpu: 2 }, "queueCpuLimit", 4],
  [{ redisMemoryMb: 256 }, "redisMemoryLimitMb", 256],
  [{ memoryMb: 256 }, "cpuLimit", undefined],
  [{ cpu: 1.5 }, "cpu", undefined],
  [{ cpu: 1.5 }, "labels", undefined],
])("From %j the server derives for %s: %p", (spec, field, value) => {
  expect(derivedValue(spec, field)).toBe(value);
});
