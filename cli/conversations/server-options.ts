/** Options of several commands. */
import type { Subcommand } from "../shared/subcommand";

export const CONNECTION_OPTIONS: Subcommand["options"] = [
  { flags: "--stack <name>", description: "stack whose configuration is used (default: the selected stack)" },
  {
    flags: "--header <name=value>",
    description: "header of all requests to the agent server, such as that of an administrator (may be repeated)",
    // Read later: they are secret, and an error of the parser would repeat them.
    parse: (text) => [text],
  },
];

export const SERVER_OPTIONS: Subcommand["options"] = [
  { flags: "--deployment <name>", description: "deployment (name or ID) whose agent server is used" },
  { flags: "--url <url>", description: "URL of the agent server, in place of a deployment" },
  ...CONNECTION_OPTIONS,
];

export const OWNER_OPTION: Subcommand["options"][number] = {
  flags: "--as-owner-header <name=value>",
  description: "header by which a request is that of the owner of a thread: Authorization=Bearer {owner}",
};

export const IDENTITY_OPTION: Subcommand["options"][number] = {
  flags: "--identity <file...>",
  description: "file with the key of an encrypted backup, as age-keygen writes it",
};
