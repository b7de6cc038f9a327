/** The functions of a program. The SDK loads this module with the first call, since it loads zod and undici. */
import { ClientPool } from "../api/clients";
import { realClock } from "../http/clock";
import { ObservedRequests } from "../telemetry/observed-requests";
import { openTrace } from "../telemetry/open-trace";
import { modulesOfSdk } from "../telemetry/sdk-modules";
import { FunctionRunner } from "./runner";

export { UserError } from "../text/user-error";
export type { FunctionRunner };

export function functionsOfProgram(clock = realClock): FunctionRunner {
  const trace = openTrace({ loadModules: modulesOfSdk });
  return new FunctionRunner(clock, new ClientPool(), new ObservedRequests(trace));
}
