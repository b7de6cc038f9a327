// `npm run record`: records what a published agent server responds to a script of requests.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./record/run.ts"));
