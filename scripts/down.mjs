// `npm run down`: destroys the quickstart and stops the emulator.
import { start } from "./setup/start.mjs";

start(() => import("./quickstart/down.mjs"));
