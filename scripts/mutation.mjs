// `npm run mutation`: changes the source in many places, one at a time, and shows which changes no test detects.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./mutation/run.ts"));
