// Installs a tool that only tests and generators need, and prints its path.
import { startTypeScript } from "./setup/start.mjs";

startTypeScript(() => import("./tools/index.ts"));
