// `npm run generate`: writes everything that is generated from the built definitions.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./generate/run.ts"));
