// `npm test`: every check; `--quick` (`npm run check`) leaves out what takes long.
import { start } from "./setup/start.mjs";

start(() => import("./checks/run.mjs"));
