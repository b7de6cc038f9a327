// `npm run up`: sets up the checkout and deploys the quickstart.
import { start } from "./setup/start.mjs";

start(() => import("./quickstart/up.mjs"));
