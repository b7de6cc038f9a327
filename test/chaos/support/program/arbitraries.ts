/** Random schedules. fast-check shrinks them to fewer resources, steps and faults. */
import fc, { type Arbitrary } from "fast-check";
import { KINDS, type ResourceSpec, SLOTS } from "../kinds";
import { deployments } from "../kinds/deployment";
import { pick, sometimes } from "../kinds/values";
import { FAULTS } from "../server/faults";
import {
  COMMANDS,
  type FaultSpec,
  OUTSIDE_ACTS,
  PROVIDERS,
  type PulumiStep,
  type Schedule,
  type Step,
} from "./schedule";
import type { ServiceSlot } from "./services";

const resource: Arbitrary<ResourceSpec> = fc.oneof(...KINDS.map(({ weight, specs }) => ({ weight, arbitrary: specs })));

const slot = fc.constantFrom(...SLOTS);
const provider = fc.constantFrom(...PROVIDERS);

const fault: Arbitrary<FaultSpec> = fc.record({
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(FAULTS)) },
    { weight: 1, arbitrary: pick("dies", "dies after") },
  ),
  of: sometimes(slot, 3),
  method: sometimes(pick("POST", "POST", "POST", "PATCH", "PUT", "DELETE", "GET"), 2),
  ofCheck: sometimes(fc.constant(true as const), 8),
  skip: pick(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 5, 8),
  times: pick(1, 1, 1, 2, 4, 30),
});

const faults = fc.array(fault, { maxLength: 4, size: "max" });

const command: Arbitrary<PulumiStep> = fc.record({
  do: fc.constantFrom(...COMMANDS, "up", "up", "up"),
  changes: fc.array(resource, { maxLength: 2, size: "max" }),
  target: sometimes(slot, 8),
  replace: sometimes(slot, 6),
  continueOnError: sometimes(fc.constant(true as const), 3),
  faults,
});

/** More commands than anything between them, so that most things are followed by a command. */
const step: Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: command },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("two ups" as const), faults }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const), to: resource }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), slot }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rename" as const), slot, alias: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: pick("move into service", "move into service", "move out of service"),
      slot: pick("api", "worker"),
      alias: pick(true, true, true, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("forget" as const), slot, import: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), slot, to: provider }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("import again" as const), slot, with: provider }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("outside" as const), slot, act: fc.constantFrom(...OUTSIDE_ACTS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("revision fails" as const), ends: pick("BUILD_FAILED", "DEPLOY_FAILED") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("revisions hang" as const), status: pick("AWAITING_BUILD", "DEPLOYING") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("export run fails" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("time passes" as const), minutes: pick(5, 30, 90, 24 * 60) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("clock jumps" as const), minutes: pick(-24 * 60, -60, -2, 2, 60, 24 * 60) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("emulator restarts" as const) }) },
);

const schedulesOf = (maxResources: number, maxSteps: number): Arbitrary<Schedule> =>
  fc.record({
    provider: sometimes(fc.constant("native" as const), 3),
    masksSecrets: sometimes(fc.constant(true as const), 6),
    services: sometimes(fc.subarray<ServiceSlot>(["api", "worker"], { minLength: 1 }), 4),
    program: fc.uniqueArray(resource, {
      minLength: 1,
      maxLength: maxResources,
      size: "max",
      selector: (one) => one.slot,
    }),
    steps: fc.array(step, { minLength: 1, maxLength: maxSteps, size: "max" }),
  });

/** A service of a deployment, with most of what the program declares beside it. */
const serviceSchedules: Arbitrary<Schedule> = fc
  .tuple(schedulesOf(6, 10), deployments.specs)
  .map(([{ program, ...schedule }, deployment]) => {
    const others = program.filter((spec) => spec.slot !== "api");
    const beside = others.map((spec) => ("on" in spec ? { ...spec, on: "api", by: "deploymentId" } : spec));
    return { ...schedule, services: ["api"], program: [{ ...deployment, slot: "api" }, ...beside] as ResourceSpec[] };
  });

/** Most are small: in these, a fault more often meets the one request that matters. */
export const schedules: Arbitrary<Schedule> = fc.oneof(
  { weight: 4, arbitrary: schedulesOf(2, 8) },
  { weight: 2, arbitrary: schedulesOf(6, 14) },
  { weight: 3, arbitrary: serviceSchedules },
);
