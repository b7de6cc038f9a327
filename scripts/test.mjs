// `npm test`: every check; `--quick` (`npm run check`) leaves out the stories with the real engine.
import { start } from "./setup/start.mjs";

start(() => import("./checks/run.mjs"));
