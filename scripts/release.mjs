// `npm run release -- --local`: builds all files that a release publishes, in one folder.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./release/run.ts"));
