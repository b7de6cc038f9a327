// `npm run mutation`: changes the source in many places, one at a time, and shows which changes no test detects.
import { start } from "./setup/start.mjs";

start(() => import("./mutation/run.mjs"));
