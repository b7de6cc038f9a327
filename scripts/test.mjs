// `npm test`; `--quick` is `npm run check`, and `--release` `npm run test:release`.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./checks/run.ts"));
