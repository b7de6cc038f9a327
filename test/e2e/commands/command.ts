/** The command of the installed package. */
import { join } from "node:path";
import { type Call, type Ended, runCommand } from "../../cli/support/command";
import { packageFolder } from "../support/packages/packages";

export type { Ended };

export const agentgraph = (call: Call): Promise<Ended> => runCommand(join(packageFolder(), "dist/cli/main.js"), call);
