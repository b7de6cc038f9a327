/** `agentgraph types`: writes the types of what each graph is configured with, from the schemas of an agent server. */
import { CONNECTION_OPTIONS } from "../conversations/server-options";
import { type Options, type Subcommand, UsageError } from "../shared/subcommand";
import type { Language } from "../types/type";

interface TypesOptions extends Options {
  language?: Language;
  out?: string;
}

export const types: Subcommand<TypesOptions> = {
  name: "types",
  summary: "Write the types of the contexts of an agent's graphs for TypeScript or Python.",
  args: { form: "<source>", description: "URL of the agent server, deployment (name or ID), or a .json file" },
  options: [
    {
      flags: "--language <language>",
      description: "typescript or python (default: that of --out, otherwise typescript)",
      parse: parseLanguage,
    },
    { flags: "--out <file>", description: "the file to write (default: standard output)" },
    { flags: "--check", description: "compare the file of --out with the schemas, and write nothing" },
    ...CONNECTION_OPTIONS,
  ],
  help: `
Read-only: nothing changes on the server. For each graph, there is one type of
its context and one of the values of config.configurable, if it declares them. A
program passes them to an assistant:
  new agentgraph.Assistant<AgentContext>("support", { graphId: "agent", ... })

With --check, the command exits with code 1 if a type or a field was added,
removed or changed, and names each. Comments and formatting do not count.

A .json file contains what --json prints, a response of the server's
/assistants/{id}/schemas, or the JSON Schema of a context.

Examples:
  agentgraph types https://agent.example.com --out agent-types.ts
  agentgraph types support --out agent_types.py
  agentgraph types support --out agent-types.ts --check`,
  failureMeaning: "with --check, the file and the schemas differ; or a request failed",

  async run([source = ""], options, context) {
    // Imported here because they load slowly, and neither --help nor other commands need them.
    const { readSchemas } = await import("../types/fetch.js");
    const { check, write } = await import("../types/output.js");
    const { out, language = out?.endsWith(".py") ? "python" : "typescript" } = options;
    if (options.check === true && out === undefined) throw new UsageError("Name the file to check: pass --out.");
    const graphs = await readSchemas(source, options, context);
    const target = { source, language, graphs, out, isJson: options.json === true };
    return options.check === true ? check(target, context) : write(target, context);
  },
};

function parseLanguage(text: string): Language {
  if (text === "typescript" || text === "python") return text;
  throw new UsageError("It must be typescript or python.");
}
