/** What a round kills, and when. The seed decides it; how far the run is at that moment depends on the machine. */
import type { Random } from "../../chaos/support/random";

export type Verb = "up" | "refresh" | "destroy";

/**
 * "cli": the Pulumi CLI alone. "provider": the host of dynamic resources, or the plugin. "group": all processes of the
 * run, as when a machine stops.
 */
export type Victim = "cli" | "provider" | "language host" | "program" | "group" | "emulator";

export interface Kill {
  verb: Verb;
  victim: Victim;
  /** The number of requests of the run to wait for; undefined to wait only for the time. */
  requests: number | undefined;
  delayMs: number;
  /** How long the emulator is down after it was killed. */
  downMs: number;
}

const VICTIMS = [
  ...["cli", "cli", "cli", "provider", "provider", "group", "group", "emulator", "language host", "program"],
] as const;

/** @param isFirst Whether the run is not yet a recovery. */
export function randomKill(random: Random, isFirst: boolean): Kill {
  const verb = isFirst ? random.pick(["up", "up", "up", "up", "refresh", "destroy"] as const) : "up";
  const victim = random.pick(
    VICTIMS.filter((name) => verb === "up" || (name !== "language host" && name !== "program")),
  );
  const downMs = random.below(1500);
  // Most moments that matter are near a request.
  if (random.chance(0.2)) return { verb, victim, requests: undefined, delayMs: 300 + random.below(4000), downMs };
  return { verb, victim, requests: 1 + random.below(verb === "up" ? 8 : 4), delayMs: random.below(80), downMs };
}

export const formatKill = ({ verb, victim, requests, delayMs }: Kill): string =>
  `${verb}, ${victim} after ${requests === undefined ? "" : `${requests} requests and `}${delayMs} ms`;
