// `npm run coverage`: prints the tests that prove each statement of docs/internal/coverage.md.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./checks/coverage.ts"));
