/** Inputs and outputs of a Thread (API `2B`). */
import { z } from "zod";
import { REMOVED_KEYS, superstep, type Thread, threadMetadata, threadTtl } from "../../api/agent-server/threads";
import { knownValue } from "../../api/known-values";
import { entryRule, errorRule, knownValueRule, type Rule } from "../../definition/rules";
import { requestsOf } from "../../objects/defaults";
import { endpointInputs, endpointOutputs, foreignCronsInput, idInput, sensitiveInput } from "../../objects/fields";
import { type Attempt as AttemptOf, objectNames } from "../../objects/kind";
import { metadataRule } from "../../objects/metadata/metadata";
import { nulWarnings } from "../../objects/metadata/server-keys";
import { extraInput } from "../../schema/extra";
import { fieldMetadata } from "../../schema/schema";
import { timeOutputs } from "../../schema/timestamp";

export const THREAD = {
  ...objectNames("Thread"),
  idInput: "threadId",
  // A server copies a thread with its metadata.
  isCopied: true,
  ...requestsOf<Thread>("thread", ({ threads }) => threads),
};
/** The metadata key that identifies the resource and its immutable inputs. */
export const OWNERSHIP_KEY = THREAD.keys.object;
/** The one that identifies the resource alone: finds threads that earlier runs created with other inputs. */
export const RESOURCE_KEY = THREAD.keys.resource;
/** Metadata key of the create request: shows which thread it created, whatever its response was. */
export const REQUEST_KEY = `${OWNERSHIP_KEY}_request`;

export const inputs = z
  .strictObject({
    ...endpointInputs("thread", "discards its history"),
    threadId: idInput("thread", "the immutable inputs"),
    metadata: threadMetadata
      .optional()
      .describe(
        "Metadata by key, for searching; `graph_id` names the graph that the thread belongs to. Keys that " +
          "others add are left unchanged. A key that is removed or set to null becomes null on the server.",
      )
      .register(fieldMetadata, { secret: "sensitive", merge: "keys" }),
    supersteps: z
      .array(superstep)
      .min(1)
      .optional()
      .describe(
        "Initial state of the thread, as steps that are applied in order. Defaults to an empty thread. " +
          "Requires `metadata.graph_id`. A change replaces the thread.",
      )
      .register(fieldMetadata, { replaces: true, secret: "sensitive" }),
    copyFrom: z
      .guid()
      .optional()
      .describe(
        "ID of a thread on the same agent server to copy, including its history. Cannot be combined with " +
          "`threadId` or `supersteps`. A change replaces the thread.",
      )
      .register(fieldMetadata, {
        compare: "uuid",
        replaces: true,
        reference: { kind: "Thread", output: "id", reason: "the thread it copies is replaced" },
      }),
    ttl: threadTtl
      .optional()
      .describe(
        "How long the server keeps the thread. Defaults to the server's own setting. Servers can change it, " +
          "but not remove it.",
      )
      .register(fieldMetadata, { merge: "whole" }),
    extra: extraInput("A change is made in place.", { secret: "sensitive" }),
    sensitive: sensitiveInput("metadata, supersteps and extra"),
    deleteForeignCrons: foreignCronsInput("on the thread"),
  })
  .register(fieldMetadata, {
    interface: "ThreadArgs",
    foreignFields: { values: "is the current state of a thread; declare the initial state with supersteps." },
  });
export type Inputs = z.infer<typeof inputs>;
/** One attempt to create or change a thread. */
export type Attempt = AttemptOf<Inputs>;

export const outputs = z.object({
  ...endpointOutputs("thread"),
  status: knownValue("ThreadStatus")
    .describe("Status when last read: `idle`, `busy`, `interrupted` or `error`.")
    .register(fieldMetadata, { absentMeans: "idle" }),
  ...timeOutputs,
});
export type State = z.infer<typeof outputs>;

type Update = NonNullable<Inputs["supersteps"]>[number]["updates"][number];

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
        ? "is a key that some servers remove without an " +
          `error${key === "assistant_id" ? ", and that each run overwrites" : ""}. No difference is shown; use ` +
          "another key to be sure."
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
      supersteps
        .slice(0, -1)
        .flatMap(({ updates }, step) =>
          updates.some(({ asNode, values = {} }) => asNode === "__input__" && Object.keys(values).length > 0) &&
          !supersteps[step + 1]?.updates.some(({ asNode }) => asNode === "__start__")
            ? {
                path: `supersteps.${step}`,
                reason:
                  "is an input that waits for a run, and the next superstep discards it: use asNode __start__ " +
                  "to apply it.",
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
