/** The environment of a lifecycle: time, the engine's display, and the memory that all kinds share in a run. */
import { type Clock, realClock } from "../http/clock";
import { suppressUserErrors } from "./host-console";
import { engineAddress, engineReport, type Report } from "./log";
import { RunMemory } from "./run-memory";

export interface Environment {
  clock: Clock;
  report: Report;
  memory: RunMemory;
}

const memory = new RunMemory();

export function realEnvironment(): Environment {
  const address = engineAddress();
  if (address !== undefined) suppressUserErrors();
  return { clock: realClock, report: engineReport(address), memory };
}
