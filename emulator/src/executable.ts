/** The entry of the executable that contains Node. It also runs the processes that the emulator starts of itself. */
import { parts } from "./runtime/parts";

if (process.argv[2] === parts.watchdog) require("./runtime/agents/watchdog");
else require("./main");
