// `npm run plugin`: builds the native provider plugin for users and for a release.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./plugin/run.ts"));
