import fc from "fast-check";
import { derivedDefaults, mergeSpec, type ResourceSpec } from "../../../../provider/api/control-plane/resource-spec";

/** A PATCH overwrites the whole spec: what is in it is what the service holds afterwards. */
describe("the spec that a change sends", () => {
  it("is what is declared when the service holds nothing else", () => {
    expect(mergeSpec({}, {}, { cpu: 1 })).toEqual({ cpu: 1 });
  });

  // @covers 2A.ResourceSpec:overwrite
  it("keeps what was set elsewhere", () => {
    expect(mergeSpec({ cpu: 1, redisCpu: 3 }, { cpu: 1 }, { cpu: 2 })).toEqual({ cpu: 2, redisCpu: 3 });
  });

  // @covers 2A.ResourceSpec:derived
  it("leaves out what the service derived, since it would derive it anew", () => {
    const server = { cpu: 1, cpuLimit: 2, queueCpu: 1, queueCpuLimit: 2, memoryMb: 512, memoryLimitMb: 1024 };
    expect(mergeSpec(server, { cpu: 1, memoryMb: 512 }, { cpu: 2, memoryMb: 512 })).toEqual({ cpu: 2, memoryMb: 512 });
  });

  it("keeps a limit that is not the derived one", () => {
    expect(mergeSpec({ cpu: 1, cpuLimit: 3 }, { cpu: 1 }, { cpu: 1.5 })).toEqual({ cpu: 1.5, cpuLimit: 3 });
  });

  it("takes out what was declared before and is no longer", () => {
    expect(mergeSpec({ cpu: 1, maxScale: 3 }, { cpu: 1, maxScale: 3 }, { cpu: 1 })).toEqual({ cpu: 1 });
  });

  it("takes a derived value of a rounded CPU for derived", () => {
    expect(mergeSpec({ cpu: 0.3, cpuLimit: 0.6 }, { cpu: 0.3 }, { cpu: 0.3 })).toEqual({ cpu: 0.3 });
  });

  it("does not mind nulls", () => {
    const server = { cpu: null, redisCpu: null } as unknown as ResourceSpec;
    expect(mergeSpec(server, {}, { memoryMb: 128 })).toEqual({ memoryMb: 128 });
  });

  /** Interface section 2 A, ResourceSpec, column "Default rule": a field, the field it follows, and how many times that. */
  const rules: [field: keyof ResourceSpec, base: keyof ResourceSpec, times: number][] = [
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
  it.each(rules)("leaves %s to the server where it follows %s, times %d", (field, base, times) => {
    const server = { [base]: 4, [field]: 4 * times };
    expect(mergeSpec(server, { [base]: 4 }, { [base]: 5 })).toEqual({ [base]: 5 });
  });

  it.each(rules)(
    "keeps %s where it is not %s, times %d, but any other number or field times something",
    (field, base, times) => {
      for (const other of [1, 2, 3].filter((factor) => factor !== times))
        expect(mergeSpec({ [base]: 4, [field]: 4 * other }, {}, {})).toHaveProperty(field, 4 * other);
      const bases = new Set(rules.map(([, of]) => of));
      for (const another of bases)
        if (another !== base && another !== field)
          expect(mergeSpec({ [another]: 4, [base]: 7, [field]: 4 * times }, {}, {})).toHaveProperty(field, 4 * times);
    },
  );

  it("knows no rule beyond those of the interface", () => {
    expect(Object.keys(derivedDefaults).sort()).toEqual(rules.map(([field]) => field).sort());
  });

  it("always holds all that is declared, and nothing that was given up", () => {
    const field = fc.constantFrom(...Object.keys(derivedDefaults), "cpu", "memoryMb", "minScale", "redisCpu");
    const spec = fc.dictionary(field, fc.nat(9), { noNullPrototype: true });
    fc.assert(
      fc.property(spec, spec, spec, (server, before, wanted) => {
        const sent: Record<string, unknown> = mergeSpec(server, before, wanted);
        expect(sent).toMatchObject(wanted);
        const givenUp = Object.keys(before).filter((name) => !(name in wanted));
        expect(givenUp.filter((name) => name in sent)).toEqual([]);
      }),
    );
  });
});
