/** Validation rules of an Assistant across fields. */
import { defaultAssistantId } from "../../api/agent-server/assistants";
import type { CheckFailure, Rule } from "../../definition/rule";
import { isMarkerKey } from "../shared/agent-server/metadata";
import { endpointRules } from "../shared/agent-server/rules";
import { ASSISTANT, type Inputs } from "./fields";

/** Metadata keys that servers remove without an error (API `2B.Assistant.metadata:reserved`). */
const REMOVED_METADATA: ReadonlySet<string> = new Set(["assistant_id", "thread_id", "run_id", "cron_id"]);
/** Keys of the server itself in the values for a graph, besides those with double underscores (API `2B.Assistant.mirrors:reserved`). */
const SERVER_VALUES = ["auth_user", "auth_user_id", "auth_permissions", "request_id"];

const REMOVED = "is a key of the server itself, which it removes without an error; use another key.";

export const rules: Rule<Inputs>[] = [
  ...endpointRules,
  {
    paths: ["context", "config.configurable"],
    check: ({ context = {}, config }) =>
      Object.keys(context).length > 0 && Object.keys(config?.configurable ?? {}).length > 0
        ? {
            path: "config.configurable",
            reason:
              "cannot be combined with context, because servers copy the one into the other: declare all values in context.",
          }
        : undefined,
  },
  ...(["context", "config.configurable"] as const).map(
    (path): Rule<Inputs> => ({
      paths: [path],
      check: ({ context, config }, _previous, { vocabulary }) => {
        const prefixes = ["agentgraph", vocabulary.agentgraph];
        const names = new Set(prefixes.flatMap((prefix) => SERVER_VALUES.map((name) => `${prefix}_${name}`)));
        const isRemoved = (key: string) => names.has(key) || key.startsWith("__");
        const values = path === "context" ? context : config?.configurable;
        return failuresAt(path, values, (key) => (isRemoved(key) ? REMOVED : undefined));
      },
    }),
  ),
  {
    paths: ["metadata"],
    check: ({ metadata }) =>
      failuresAt("metadata", metadata, (key, value) => {
        if (isMarkerKey(ASSISTANT.keys, key)) return "is reserved for the ownership marker; use another key.";
        if (key === "created_by" && value === "system")
          return "marks the assistants that the server makes itself, and it deletes others with it when it starts; use another value.";
        return REMOVED_METADATA.has(key) ? REMOVED : undefined;
      }),
  },
  {
    paths: ["assistantId", "graphId"],
    check: ({ assistantId, graphId }) =>
      assistantId?.toLowerCase() === defaultAssistantId(graphId)
        ? {
            path: "assistantId",
            reason: `is the ID of the default assistant of ${graphId}, which belongs to the server; use another ID, or none.`,
          }
        : undefined,
  },
];

/** Returns a failure for each key that has a reason. */
function failuresAt(
  path: string,
  values: Record<string, unknown> | undefined,
  reasonOf: (key: string, value: unknown) => string | undefined,
): CheckFailure[] {
  return Object.entries(values ?? {}).flatMap(([key, value]) => {
    const reason = reasonOf(key, value);
    return reason === undefined ? [] : [{ path: `${path}.${key}`, reason }];
  });
}
