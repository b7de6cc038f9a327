// `npm test`; `--quick` is `npm run check`, `--release` `npm run test:release`, and `--compatibility` `npm run compatibility`.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./checks/run.ts"));
