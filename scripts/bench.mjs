// `npm run bench`: measures performance against the targets of this package.
import { start } from "./setup/start.mjs";

start(() => import("./bench/run.mjs"));
