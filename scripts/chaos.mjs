// `npm run chaos`: searches for defects with random schedules in one process, or with `--engine` by killing real processes.
import { start } from "./setup/start.mjs";

const isEngine = process.argv.includes("--engine");
start(() => (isEngine ? import("./chaos/engine.mjs") : import("./chaos/schedules.mjs")));
