// `npm run coverage`: prints the tests that prove each fact of docs/platform-api/.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./checks/coverage.ts"));
