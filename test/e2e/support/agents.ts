/** Real agents for programs whose deployments would otherwise have the built-in graphs. */
import { join } from "node:path";
import { agentEntry, agentsFile } from "../../../emulator/test/support/agents/agents";
import { EXAMPLES } from "./examples";

/** Writes an agents file that runs the agent of examples/local-agent for every deployment, and returns its path. */
export function exampleAgent(): string {
  const folder = join(EXAMPLES, "local-agent/agent");
  const start = [process.execPath, "server.mjs", "{port}"];
  return agentsFile([agentEntry("", { source: undefined, folder, start, environment: { MODEL_API_KEY: "a-key" } })]);
}
