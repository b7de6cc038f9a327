// `npm test`: runs every check; `--quick` (`npm run check`) skips the slow ones.
import { start } from "./setup/start.mjs";

start(() => import("./checks/run.mjs"));
