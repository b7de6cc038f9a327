/** Options of all commands that use an agent server. */
import type { Subcommand } from "../shared/subcommand";

export const SERVER_OPTIONS: Subcommand["options"] = [
  { flags: "--deployment <name>", description: "deployment (name or ID) whose agent server is used" },
  { flags: "--url <url>", description: "URL of the agent server, in place of a deployment" },
  { flags: "--stack <name>", description: "stack whose configuration is used (default: the selected stack)" },
];
