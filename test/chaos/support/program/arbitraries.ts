/** Random schedules. fast-check shrinks them to fewer resources, steps and faults. */
import fc, { type Arbitrary } from "fast-check";
import { FAULTS } from "../server/faults";
import {
  type AssistantSpec,
  COMMANDS,
  type CronSpec,
  type DeploymentSpec,
  type DestinationSpec,
  type ExportSpec,
  type FaultSpec,
  PROVIDERS,
  type PulumiStep,
  type ResourceSpec,
  type Schedule,
  SLOTS,
  type Step,
  type ThreadSpec,
} from "./schedule";

const pick = <const T>(...values: T[]) => fc.constantFrom(...values);
/** A value that is present once in so many times. Shrinks to its absence. */
const sometimes = <T>(value: Arbitrary<T>, times = 4): Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: times - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );

const deployment: Arbitrary<DeploymentSpec> = fc.record({
  slot: pick("api", "worker"),
  renamed: fc.nat(9).map((number) => number === 9),
  source: pick("image", "image", "image", "folder"),
  version: fc.nat(3),
  secret: fc.nat(2),
  cpu: sometimes(pick(1, 2), 2),
  waitFor: sometimes(fc.constant("healthy" as const)),
  rollbackOnFailure: sometimes(fc.constant(true as const)),
});

const thread: Arbitrary<ThreadSpec> = fc.record({
  slot: pick("session", "chat", "copy", "draft"),
  on: pick("shared", "api", "worker"),
  by: pick("deploymentId", "deploymentId", "deploymentUrl"),
  team: pick("support", "sales"),
  tier: sometimes(fc.nat(2), 2),
  text: fc.option(pick("Hello", "Hi"), { nil: undefined }),
});

const destination: Arbitrary<DestinationSpec> = fc.record({
  slot: pick("bucket", "archive"),
  prefix: pick("agents", "agents", "backup"),
});

const exported: Arbitrary<ExportSpec> = fc.record({
  slot: pick("once", "daily"),
  to: pick("shared", "bucket", "bucket", "archive"),
  of: pick("shared", "shared", "api"),
  variant: pick(0, 1),
  waitFor: sometimes(fc.constant("completed" as const), 2),
});

const assistant: Arbitrary<AssistantSpec> = fc.record({
  slot: pick("support", "sales"),
  on: pick("shared", "api", "worker"),
  by: pick("deploymentId", "deploymentId", "deploymentUrl"),
  graph: pick("echo", "echo", "counter"),
  prompt: fc.nat(2),
  tags: sometimes(fc.constant(true as const), 2),
  note: sometimes(pick("Helps customers."), 2),
});

const cron: Arbitrary<CronSpec> = fc.record({
  slot: pick("nightly", "hourly"),
  runs: pick("support", "support", "sales", "echo"),
  minute: fc.nat(3),
  zone: sometimes(fc.constant("Europe/Berlin" as const), 2),
  paused: sometimes(fc.constant(true as const), 3),
  input: sometimes(fc.nat(2), 2),
  thread: sometimes(fc.constant("session" as const)),
});

const resource: Arbitrary<ResourceSpec> = fc.oneof(
  { weight: 3, arbitrary: deployment },
  { weight: 4, arbitrary: thread },
  { weight: 2, arbitrary: destination },
  { weight: 3, arbitrary: exported },
  { weight: 3, arbitrary: assistant },
  { weight: 3, arbitrary: cron },
);

const slot = fc.constantFrom(...SLOTS);
const provider = fc.constantFrom(...PROVIDERS);

const fault: Arbitrary<FaultSpec> = fc.record({
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(FAULTS)) },
    { weight: 1, arbitrary: pick("dies", "dies after") },
  ),
  of: sometimes(slot, 3),
  method: sometimes(pick("POST", "POST", "POST", "PATCH", "PUT", "DELETE", "GET"), 2),
  skip: pick(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 5, 8),
  times: pick(1, 1, 1, 2, 4, 30),
});

const command: Arbitrary<PulumiStep> = fc.record({
  do: fc.constantFrom(...COMMANDS, "up", "up", "up"),
  changes: fc.array(resource, { maxLength: 2, size: "max" }),
  target: sometimes(slot, 8),
  replace: sometimes(slot, 6),
  continueOnError: sometimes(fc.constant(true as const), 3),
  faults: fc.array(fault, { maxLength: 4, size: "max" }),
});

/** More commands than anything between them, so that most things are followed by a command. */
const step: Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: command },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const), to: resource }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), slot }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rename" as const), slot, alias: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("forget" as const), slot, import: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), slot, to: provider }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("import again" as const), slot, with: provider }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("outside" as const),
      slot,
      act: pick("copies", "deletes", "changes", "adds"),
    }),
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
    program: fc.uniqueArray(resource, {
      minLength: 1,
      maxLength: maxResources,
      size: "max",
      selector: (one) => one.slot,
    }),
    steps: fc.array(step, { minLength: 1, maxLength: maxSteps, size: "max" }),
  });

/** Most are small: in these, a fault more often meets the one request that matters. */
export const schedules: Arbitrary<Schedule> = fc.oneof(
  { weight: 2, arbitrary: schedulesOf(2, 8) },
  { weight: 1, arbitrary: schedulesOf(6, 14) },
);
