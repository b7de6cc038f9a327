/** The environment of a lifecycle: time, the engine's display, and what the run has shown. All kinds share it. */
import { type Clock, realClock } from "../../http/clock";
import { exportBeforeExit, openTrace } from "../../telemetry/open-trace";
import { modulesOfSdk } from "../../telemetry/sdk-modules";
import { PRINTED_USER_ERROR } from "../../text/user-error";
import { RunState } from "../run/run-state";
import { exitWithEngine } from "./exit-with-engine";
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

/**
 * Suppresses the output of errors that are shown under their resource: the host of dynamic resources also prints those
 * of check, diff, read and delete to stderr, and the display shows these lines under the stack.
 */
export function suppressUserErrors(console: Pick<Console, "error"> = globalThis.console): void {
  const print = console.error.bind(console);
  console.error = (...values: unknown[]) => {
    if (values.length !== 1 || values[0] !== PRINTED_USER_ERROR) print(...values);
  };
}
