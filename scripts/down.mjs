// `npm run down`: takes away what `npm run up` made.
import { start } from "./setup/start.mjs";

start(() => import("./quickstart/down.mjs"));
