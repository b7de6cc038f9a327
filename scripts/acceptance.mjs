// `npm run acceptance`: real programs with the real engine, against any server.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./acceptance/run.ts"));
