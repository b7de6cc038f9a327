/** Where the emulator differs from the published agent servers, and why. Everything else is a defect. */
import type { RecordingHeader } from "../../../../scripts/record/exchange";
import { JAVASCRIPT_ERRORS, PYTHON_ERRORS } from "./errors";

export interface KnownDifference {
  /** The exchanges; default: all. Each one of a list differs. */
  exchanges?: RegExp | readonly string[];
  /** Default: both. */
  server?: RecordingHeader["server"];
  /** Places in responses. */
  places: RegExp;
  /** Only where the recorded response has nothing, or null. */
  isAbsent?: true;
  /** Of the whole body only where it is a text. */
  isText?: true;
  reason: string;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    server: "python",
    exchanges: PYTHON_ERRORS,
    places: /^body\.(\d+\.)?(detail|__error__\.\w+|error\.error|data\.error(\.error)?|tasks\.\d+\.error)$/,
    reason: "The words of errors are those of the libraries of the server; the provider only shows them",
  },
  {
    server: "javascript",
    exchanges: JAVASCRIPT_ERRORS,
    isText: true,
    places: new RegExp(
      "^body(\\.(\\d+\\.)?(error\\.issues\\.\\d+\\.(?!path$)\\w+|__error__\\.\\w+|error\\.error|" +
        "data\\.(params\\.data\\.)?error(\\.name)?|tasks\\.\\d+\\.error))?$",
    ),
    reason: "The words of errors are those of the libraries of the server; the provider only shows them",
  },
  {
    places: /^body\.(version|services|host|context|langgraph_\w+_version|flags\.langsmith\w*)$/,
    exchanges: /^((auth-)?(ok|info)|root|a2a-card.*)$/,
    reason: "The emulator has its own version, and no features that it does not implement",
  },
  {
    places: /\.(\w*tool_calls|usage_metadata|(messages\.\d+|data\.0)\.name|(echo|result)\.messages\.0\.\w+_\w+)$/,
    reason: "The library of the graph adds these fields to messages; those of the emulator count tokens",
  },
  {
    places:
      /(messages\.\d+|^body\.\d\.data(\.0)?|^body\.10\.data\.params\.data)\.id$|\.messageId$|^body\.2\.data\.(\{\{stream-messages|run-)/,
    reason: "The messages of the emulator's graphs have the ID of their run, so that a trace shows them",
  },
  {
    places: /^body(\.\d+)?\.values$/,
    isAbsent: true,
    reason: "The description says that these return values: before the first state, an empty object",
  },
  {
    places: /^body(\.\d+)?\.(metadata(\.(writes|graph_id|checkpoint_id))?|(parent_)?checkpoint_id|kwargs\.command)$/,
    server: "javascript",
    isAbsent: true,
    reason: "Clients or the description of states have these fields, which this server leaves out",
  },
  {
    places: /^body(\.\d+)?\.metadata\.(writes|graph_id|checkpoint_id)$/,
    server: "python",
    reason: "The description of states has these fields; this server lacks them, or shows the previous checkpoint",
  },
  {
    places: /(checkpoint|configurable)\.checkpoint_map$|\.tasks\.\d+\.path$|\.tasks\.\d+\.state$/,
    reason: "Internal to the library of the graph, and without use for clients",
  },
  {
    places: /^body(\.\d+)?\.(kwargs\.(?!input$|command$)\w+.*|langsmith_session_name)$/,
    reason: "Settings that the server adds to a run for itself",
  },
  {
    exchanges: /state|history|state-at|-child$|^protocol-asked$/,
    places: new RegExp(
      "^body(\\.\\d+)?\\.metadata\\.(checkpoint_map|checkpoint_ns|prefix|" +
        "langgraph_\\w+|ls_\\w+|run_attempt|user_id|user-agent)$",
    ),
    reason:
      "The metadata of a state contain the configuration, and what the server adds; the description lists other keys",
  },
  {
    exchanges: /^(stream|protocol-events)-/,
    places: new RegExp(
      "(\\.(parent_)?config\\.(metadata|recursion_limit|tags|configurable\\.(__\\w+|langgraph_\\w+|user[-_]\\w+))|" +
        "\\.(metadata|data\\.1)\\.(created_by|ls_\\w+|name|tags|user[-_]\\w+|checkpoint_ns|" +
        "langgraph_(?!node|step|checkpoint_ns)\\w+)|^body\\.1\\.data\\.metadata\\.(\\w+_id|run_attempt))$",
    ),
    reason: "What servers add about themselves to each step, and about the run that another one continues",
  },
  {
    server: "javascript",
    exchanges: ["number-too-large"],
    places: /^(status|headers\.content-type|body)$/,
    reason: "The server stores null in place of a number that is too large",
  },
  {
    exchanges: /^(copy|half-read$)/,
    places: /^body\.(interrupts|error)$/,
    reason: "A copy, and a thread whose supersteps failed, lack fields that a run adds and the emulator shows",
  },
  {
    exchanges: /^(assistant-schemas|memory-subgraphs$)/,
    places: /^body(\.remember)?\.\w+_schema(\..+)?$/,
    reason: "The schemas are those of the graph and of its library",
  },
  {
    exchanges: /^assistant-graph$/,
    places: /^body\.(nodes\.\d+\.(data|type|metadata)|edges\.\d+\.conditional).*$/,
    reason: "The drawing of a graph is that of its library",
  },
  {
    server: "javascript",
    places: /^body(\.\d+)?\.config\.configurable\.user-agent$/,
    reason: "The server adds headers of the request",
  },
  {
    server: "javascript",
    exchanges: /^assistant-schemas-without-context$/,
    places: /^(status|headers|body)$/,
    reason: "The server fails for graphs whose source declares no schema; those of the emulator have one",
  },
  {
    server: "python",
    exchanges: /^create-command/,
    places: /^(status|headers|body)$/,
    reason: "The server fails for every command; the emulator applies it, as the server in JavaScript does",
  },
  {
    server: "python",
    exchanges: /^(search|count)-values$/,
    places: /^(status|headers|body)$/,
    reason: "The store in memory fails for a filter by values, which the server's own description has",
  },
  {
    server: "python",
    exchanges: ["store-put-period", "store-put-empty-label"],
    places: /^(headers\.content-type|body)$/,
    reason: "The server shows this error as a text, and all others as JSON",
  },
  {
    server: "python",
    exchanges: /^prune-keep-latest$/,
    places: /^(status|headers|body)$/,
    reason: "The store in memory lacks this strategy, as it says",
  },
  {
    exchanges: /^(search-invalid-ids|copy-invalid-id)$/,
    places: /^(status|headers|body)$/,
    reason: "The emulator checks all requests in one way: 422 for an ID of an invalid form",
  },
  {
    server: "javascript",
    exchanges: /^(unknown-route|cancel-none|root|docs|metrics|openapi|slash|slash-ok|storage|(mcp|a2a)-.*)$/,
    places: /^(headers\.content-type|body)$/,
    reason: "The emulator responds to paths that belong to no agent server",
  },
  {
    server: "python",
    places: /(__interrupt__|interrupts)\.\d+\.response_schema$/,
    reason: "Internal to the library of the graph, and without use for clients",
  },
  {
    server: "python",
    exchanges: /^create-ttl-include$/,
    places: /^body\.ttl$/,
    reason: "The store in memory keeps no TTL; the server's own description has this field",
  },
  {
    server: "python",
    exchanges: /^state-at$/,
    places: /^body\.checkpoint\.checkpoint_ns$/,
    reason: "The server leaves out the namespace of the graph itself here, which is empty",
  },
  {
    server: "javascript",
    exchanges: ["state-at-unknown"],
    places: /^body\.checkpoint\.checkpoint_ns$/,
    reason: "The server adds the empty namespace of the graph itself, also for a checkpoint that does not exist",
  },
  {
    exchanges: [
      ...["create-input", "create-input-state", "waiting-other-graph-state", "waiting-other-graph-search"],
      ...["memory-history", "memory-child", "remembered-history", "stream-steps-subgraph", "update-before-input"],
    ],
    places: /^body(\.\d+)?(\.data)?\.values\.messages$/,
    reason: "The library of the graph starts a list of messages as an empty one",
  },
  {
    server: "javascript",
    exchanges: /^(exit-history|stream-(resumed|tagged|switch-back))$/,
    places: /^body\.\d\.(next\.0|tasks\.0\.name|data\.(tick|name|triggers\.0))$|^body\.2\.data\.count$/,
    reason: "The node of the recorded graph has another name",
  },
  {
    server: "javascript",
    exchanges: ["switch-interrupt"],
    places: /^body\.(prepared|__interrupt__)$/,
    reason: "The server shows no values of a run that stops after a node",
  },
  {
    server: "python",
    exchanges: ["exit-answered-history"],
    places: /^body\.1\.tasks\.0\.result$/,
    reason: "The server stores no result beside a step that an earlier run has left",
  },
  {
    exchanges: ["waiting-other-graph-state"],
    places: /^body\.values\.prepared$/,
    reason: "The library of the graph shows the values that the graph has; the emulator shows all that were written",
  },
  {
    exchanges: ["stateless-wait-list"],
    places: /^body\.(__error__|input|messages)$/,
    reason: "The recorded graph fails for a list; that of the emulator repeats any input",
  },
  {
    server: "javascript",
    exchanges: /^run-join$/,
    places: /^headers\.content-type$/,
    reason: "The server calls the result of a run that it awaits text in every other case",
  },
  {
    server: "javascript",
    exchanges: ["stream-traced"],
    places: /^body\.[2356](\.|$)/,
    reason: "The server starts a node before it shows the values that the node gets",
  },
  {
    server: "javascript",
    exchanges: ["stateless", "stateless-batch", "stopped-run", "stopped-thread"],
    places: /^body(\.\d+)?\.(metadata\.assistant_id|interrupts)$/,
    isAbsent: true,
    reason: "A run that creates its thread lacks metadata of it, and one that was cancelled leaves no interrupts",
  },
  {
    exchanges: ["stopped-thread"],
    places: /^body\.values\.(count|steps)$/,
    reason: "A node of the emulator takes less time, so the run has come further when it is cancelled",
  },
  {
    server: "python",
    exchanges: ["assistant-run"],
    places: /^body(\.(messages|__error__))?$/,
    reason: "The recorded graph fails for a number where it expects a text; that of the emulator formats it",
  },
  {
    exchanges: ["assistant-delete-threads"],
    places: /^body\.(values|config|status|error|interrupts)$/,
    reason: "The graph of the emulator rejects keys of the configuration that the recorded one ignores",
  },
  {
    exchanges: /^assistants-without-body$/,
    places: /^headers\.x-pagination-total$/,
    reason: "The emulator has another number of graphs, and so of default assistants",
  },
  {
    server: "python",
    exchanges: /^protocol-events-/,
    places: /^body\.\d+\.data\.event_id$/,
    reason: "Clients read an ID as a text that is unique; that of the server names its place in an internal log",
  },
  {
    exchanges: ["auth-forbidden", "auth-forbidden-create", "auth-forbidden-search"],
    places: /^(status|headers|body)$/,
    reason:
      "The handler of the recorded server knows a user who may do nothing; that of the emulator allows everything",
  },
  {
    server: "python",
    exchanges: /^cron-(due-threads|fired-)/,
    places: /^headers\.x-pagination-(next|total)$/,
    reason: "How often a cron fires within some seconds depends on the second of its creation",
  },
  {
    server: "javascript",
    exchanges: ["cron-any-strategy", "cron-on-thread-strategy"],
    places: /^body\.error\.issues\.1$/,
    reason: "For crons, which it lacks, the server also checks the strategy; the emulator stops at the ID",
  },
];
