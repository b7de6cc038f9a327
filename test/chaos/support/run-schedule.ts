import { type Schedule, toTest } from "./program/schedule";
import { recover } from "./recovery";
import { verify, verifyDestroy } from "./verification/verification";
import { World } from "./world";

export interface ScheduleCounts {
  /** 1 if the program had a service. */
  services: number;
  requests: number;
  commands: number;
  faults: number;
  deaths: number;
}

/** Promises that nothing handled, since the last schedule. */
const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

/** Runs a schedule, recovers, and checks what must hold. @throws Error with the log of all actions. */
export async function runSchedule(schedule: Schedule): Promise<ScheduleCounts> {
  const world = await World.start(schedule);
  try {
    for (const step of schedule.steps) await world.perform(step);
    await recover(world);
    await verify(world);
    await verifyDestroy(world);
    if (unhandled.length > 0) throw new Error(`unhandled rejection: ${(unhandled[0] as Error)?.stack ?? unhandled[0]}`);
    const services = world.declarations.hadService ? 1 : 0;
    return { services, requests: world.server.emulator.requestLog.count(), ...world.counts };
  } catch (error) {
    const { message, stack } = error as Error;
    throw new Error(`${message}\n\n${toTest(schedule)}\n\nWhat happened:\n${world.log.join("\n")}\n\n${stack}`);
  } finally {
    unhandled.splice(0);
    await world.stop();
  }
}
