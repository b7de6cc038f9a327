// `npm run coverage`: prints the tests that prove each statement of docs/internal/coverage.md.
import { start } from "./setup/start.mjs";

start(() => import("./checks/coverage.mjs"));
