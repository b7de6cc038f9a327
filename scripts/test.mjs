// `npm test`; `--quick` is `npm run check`, and `--release` `npm run test:release`.
import { start } from "./setup/start.mjs";

start(() => import("./checks/run.mjs"));
