import fc from "fast-check";
import { CRON } from "../../../../provider/resources/cron/fields";
import type { PropertyMap } from "../../../../provider/schema/schema";
import type { AssistantSpec } from "../../../support/agents/kinds/assistant";
import { countOwn, findOnAgentServers, type Place, serverOf } from "./agent-server";
import { type ChaosKind, expectEqual, type Spec, stateIn } from "./kind";
import type { ThreadSpec } from "./thread";
import { isSensitive, pick, promptOf, sometimes } from "./values";

export interface CronSpec {
  slot: "nightly" | "hourly";
  /**
   * The assistant, on whose server the cron is; the default one of a graph of the shared deployment, where it is not
   * declared.
   */
  runs: "support" | "sales" | "echo";
  minute: number;
  zone?: "Europe/Berlin" | undefined;
  paused?: true | undefined;
  /** Version of the value in its input. */
  input?: number | undefined;
  /** The thread, if it is declared on the same server. Then the cron is paused: its runs would change the thread. */
  thread?: "session" | undefined;
}

type Slots = ReadonlyMap<string, Spec>;

const SHARED: Place = { on: "shared", by: "deploymentId" };

export const crons: ChaosKind<CronSpec> = {
  slots: { nightly: "Cron", hourly: "Cron" },
  weight: 3,
  specs: fc.record({
    slot: pick("nightly", "hourly"),
    runs: pick("support", "support", "sales", "echo"),
    minute: fc.nat(3),
    zone: sometimes(fc.constant("Europe/Berlin" as const), 2),
    paused: sometimes(fc.constant(true as const), 3),
    input: sometimes(fc.nat(2), 2),
    thread: sometimes(fc.constant("session" as const)),
  }),

  /** A cron is on the server of its assistant. */
  declare(spec, program) {
    const { slot, runs, input, zone } = spec;
    const { bySlot } = program;
    const assistant = bySlot.get(runs) as AssistantSpec | undefined;
    const { references, inputs } = serverOf(assistant ?? SHARED, program);
    const thread = threadOf(spec, bySlot);
    return {
      references: {
        ...references,
        ...(assistant && { assistantId: { slot: assistant.slot, output: "id" } }),
        ...(thread && { threadId: { slot: thread, output: "id" } }),
      },
      inputs: {
        ...inputs,
        ...(!assistant && { assistantId: "echo" }),
        schedule: scheduleOf(spec),
        ...(zone && { timezone: zone }),
        ...(isPaused(spec, bySlot) && { enabled: false }),
        ...(input !== undefined && { input: inputOf(slot, input), ...(isSensitive(slot) && { sensitive: true }) }),
      },
    };
  },

  async verify(world, specs) {
    expectEqual("the number of crons", await countOwn(world, CRON), specs.length);
    const bySlot = new Map(world.declarations.specs.map((spec) => [spec.slot, spec]));
    for (const spec of specs) {
      const { slot, zone, input } = spec;
      const { id, outputs, inputs } = stateIn(world, slot);
      const path = `${new URL(String(outputs.url)).pathname}/runs/crons/${id}`;
      const { body } = await world.server.call<PropertyMap & { payload: PropertyMap }>("GET", path);
      expectEqual(`the schedule of ${slot}`, body.schedule, scheduleOf(spec));
      expectEqual(`the time zone of ${slot}`, body.timezone ?? "UTC", zone ?? "UTC");
      expectEqual(`whether ${slot} fires`, body.enabled, !isPaused(spec, bySlot));
      // An import does not compare what the program does not declare.
      if (input !== undefined || !world.declarations.imports.has(slot))
        expectEqual(
          `the input of ${slot}`,
          body.payload?.input,
          input === undefined ? undefined : inputOf(slot, input),
        );
      expectEqual(`the thread of ${slot}`, body.thread_id, inputs.threadId ?? null);
      expectEqual(`the assistant of ${slot}`, body.assistant_id, outputs.resolvedAssistantId);
    }
  },

  findLeftovers: (world) => findOnAgentServers(world, CRON, () => false),
};

const inputOf = (slot: string, version: number): PropertyMap => ({
  messages: [{ role: "user", content: promptOf(slot, version) }],
});
const scheduleOf = ({ minute }: CronSpec): string => `${minute} 3 * * *`;

/** Returns the thread of a cron, if it is declared on the same server. */
function threadOf({ runs, thread }: CronSpec, bySlot: Slots): string | undefined {
  const spec = thread && (bySlot.get(thread) as ThreadSpec | undefined);
  const deploymentOf = (place: Place | undefined) => place && (bySlot.has(place.on) ? place.on : "shared");
  const own = deploymentOf(bySlot.get(runs) as AssistantSpec | undefined) ?? "shared";
  return spec && deploymentOf(spec) === own ? spec.slot : undefined;
}

const isPaused = (spec: CronSpec, bySlot: Slots): boolean =>
  spec.paused === true || threadOf(spec, bySlot) !== undefined;
