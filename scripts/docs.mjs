// `npm run docs`: builds the documentation as a website.
import { start } from "./setup/start.mjs";

start(() => import("./docs/run.mjs"));
