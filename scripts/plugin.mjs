// `npm run plugin`: builds the native provider plugin for users and for a release.
import { start } from "./setup/start.mjs";

start(() => import("./plugin/run.mjs"));
