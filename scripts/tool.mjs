// Installs a tool that only tests and generators need, and prints its path.
import { start } from "./setup/start.mjs";

start(() => import("./setup/tool.mjs"));
