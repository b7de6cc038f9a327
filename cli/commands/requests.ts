/** `agentgraph requests`: what a request log shows, grouped by resource. */
import { resolve } from "node:path";
import { cleanText } from "../../provider/text/clean";
import { readInputFile } from "../shared/input-file";
import { printJson } from "../shared/json";
import { EXIT, type Subcommand, UsageError } from "../shared/subcommand";

export const requests: Subcommand = {
  name: "requests",
  summary: "Show a request log: requests by resource, retries and waits.",
  args: { form: "<file>", description: "the file of the setting requestLog" },
  options: [{ flags: "--har", description: "print an HTTP archive (HAR), which browsers open, instead of text" }],
  help: `
To write a request log, set AGENTGRAPH_REQUEST_LOG for one run.

Examples:
  AGENTGRAPH_REQUEST_LOG=requests.jsonl pulumi up
  agentgraph requests requests.jsonl
  agentgraph requests requests.jsonl --har > requests.har`,
  failureMeaning: "the output could not be written",

  async run([file = ""], options, { folder, stdout }) {
    // Imported here because other commands do not need them.
    const { parseLog } = await import("../requests/log.js");
    const { formatLog, requestsJson } = await import("../requests/text.js");
    const { toHar } = await import("../requests/har.js");
    if (options.har && options.json) throw new UsageError("Pass either --har or --json.");
    const text = await readInputFile(
      resolve(folder, file),
      file,
      "Set AGENTGRAPH_REQUEST_LOG to it for one run, which writes it with its first request.",
    );
    const log = parseLog(text, file);
    const json = options.har ? toHar(log.attempts) : options.json && requestsJson(log);
    stdout.write(json ? printJson(json) : cleanText(formatLog(log)));
    return EXIT.success;
  },
};
