// `npm run chaos`: searches for defects with random schedules in one process, or with `--engine` by killing real processes.
import { startTypeScript } from "./setup/start.mjs";

const isEngine = process.argv.includes("--engine");
startTypeScript(() => (isEngine ? import("./chaos/engine.ts") : import("./chaos/schedules.ts")));
