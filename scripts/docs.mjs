// `npm run docs`: builds the documentation as a website.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./docs/run.ts"));
