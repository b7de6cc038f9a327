// `npm run watch`: compares the newest published servers and clients of the platform with the committed inventory.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./watch/run.ts"));
