/** The environment of a lifecycle: time, the engine's display, and what the run has shown so far. All kinds share it. */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import { type Clock, realClock } from "../../http/clock";
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
  return { clock: realClock, report: engineReport(address, grpcOfSdk), run: RunState.of(address) };
}

/**
 * gRPC is a dependency of the SDK, not of this package, so it is resolved from there. Node 22 may resolve the SDK to a
 * symbolic link, such as those of pnpm, and beside a link there are no dependencies.
 */
const grpcOfSdk = () => createRequire(realpathSync(require.resolve("@pulumi/pulumi")))("@grpc/grpc-js") as typeof Grpc;
