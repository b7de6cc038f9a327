/** The environment of a lifecycle: time, the engine's display, and what the run has shown so far. All kinds share it. */
import { type Clock, realClock } from "../../http/clock";
import { exportBeforeExit, openTrace } from "../../telemetry/open-trace";
import { modulesOfSdk } from "../../telemetry/sdk-modules";
import { RunState } from "../run/run-state";
import { exitWithEngine } from "./exit-with-engine";
import { suppressUserErrors } from "./host-console";
import { engineAddress, engineReport, type Report } from "./log";

export interface Environment {
  clock: Clock;
  report: Report;
  run: RunState;
}

/** Connects to the engine that started this process. */
export function realEnvironment(): Environment {
  const address = engineAddress();
  if (address !== undefined) {
    suppressUserErrors();
    exitWithEngine();
  }
  const trace = openTrace({ run: address, loadModules: modulesOfSdk });
  exportBeforeExit(trace);
  const report = engineReport(address, () => modulesOfSdk().grpc);
  return { clock: realClock, report, run: RunState.of(address, trace) };
}
