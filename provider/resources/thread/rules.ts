/** Validation rules of a Thread across fields. */
import { entryRule, errorRule, knownValueRule, type Rule } from "../../definition/rules";
import { metadataRule } from "../../objects/metadata/metadata";
import { nulWarnings, REMOVED_KEYS } from "../../objects/metadata/server-keys";
import { type Inputs, THREAD } from "./fields";

type Update = NonNullable<Inputs["supersteps"]>[number]["updates"][number];

/** Returns a rule for each update of the supersteps. */
const updateRule = (severity: "error" | "warning", reasonOf: (update: Update) => string | undefined): Rule<Inputs> => ({
  paths: ["supersteps"],
  severity,
  check: ({ supersteps = [] }) =>
    supersteps.flatMap(({ updates }, step) =>
      updates.flatMap((update, index) => {
        const reason = reasonOf(update);
        return reason === undefined ? [] : { path: `supersteps.${step}.updates.${index}`, reason };
      }),
    ),
});

export const rules: Rule<Inputs>[] = [
  knownValueRule("ttl.strategy", "ThreadTtlStrategy"),
  {
    paths: ["copyFrom", "threadId", "supersteps"],
    check: ({ copyFrom, threadId, supersteps }) => {
      if (copyFrom === undefined) return undefined;
      const reason =
        "cannot be combined with copyFrom: the server assigns the ID of a copy, and its history comes from the source.";
      return [
        ...(threadId === undefined ? [] : [{ path: "threadId", reason }]),
        ...(supersteps === undefined ? [] : [{ path: "supersteps", reason }]),
      ];
    },
  },
  updateRule("error", ({ values, command }) =>
    values === undefined && command === undefined ? "has no effect: specify values or a command." : undefined,
  ),
  ...nulWarnings<Inputs>("metadata"),
  metadataRule(THREAD.keys, () => undefined),
  {
    ...entryRule<Inputs>("metadata", (key, value) =>
      value != null && REMOVED_KEYS.has(key)
        ? `is a key that some servers remove without an error${key === "assistant_id" ? ", and that each run overwrites" : ""}. No difference is shown; use another key to be sure.`
        : undefined,
    ),
    severity: "warning",
  },
  updateRule("warning", ({ values, command }) =>
    values !== undefined && command !== undefined
      ? "has both values and a command; servers apply only one of them."
      : undefined,
  ),
  // API `2B.Superstep:input`.
  {
    paths: ["supersteps"],
    severity: "warning",
    check: ({ supersteps = [] }) =>
      supersteps.slice(0, -1).flatMap(({ updates }, step) =>
        updates.some(({ asNode, values = {} }) => asNode === "__input__" && Object.keys(values).length > 0) &&
        !supersteps[step + 1]?.updates.some(({ asNode }) => asNode === "__start__")
          ? {
              path: `supersteps.${step}`,
              reason:
                "is an input that waits for a run, and the next superstep discards it: use asNode __start__ to apply it.",
            }
          : [],
      ),
  },
  {
    ...errorRule<Inputs>(["supersteps", "metadata.graph_id"], ({ supersteps, metadata }) =>
      supersteps !== undefined && metadata?.graph_id == null
        ? "requires metadata.graph_id, the graph whose nodes it names; servers ignore supersteps without it."
        : undefined,
    ),
    severity: "rejection",
  },
];
