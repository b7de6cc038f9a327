// `npm run bench`: the figures that this package promises to itself, each measured anew.
import { start } from "./setup/start.mjs";

start(() => import("./bench/run.mjs"));
