// `npm run up`: the quickstart, from nothing to a deployment that runs.
import { start } from "./setup/start.mjs";

start(() => import("./quickstart/up.mjs"));
