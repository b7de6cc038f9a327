// `npm run bench`: measures performance against the targets of this package.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./bench/run.ts"));
