import fc from "fast-check";
import { ASSISTANT } from "../../../../provider/resources/assistant/fields";
import { isSensitive, pick, promptOf, sometimes } from "../../../chaos/support/kinds/values";
import type { AgentKind, AgentSpec } from "./kind";

export interface AssistantSpec extends AgentSpec {
  slot: "support" | "sales";
  graph: "echo" | "counter";
  /** Version of the value in its context, which is secret for one of the two. */
  prompt: number;
  tags?: true | undefined;
  note?: string | undefined;
}

export const assistant: AgentKind<AssistantSpec> = {
  names: ASSISTANT,
  name: "support",
  declared: { graphId: "echo", name: "support", context: { prefix: "> " } },
  changed: { context: { prefix: "# " } },
  malformed: { metadata: "x", config: [], version: "x", name: {} },
  // It looks for crons, too.
  readsBefore: 3,
  slots: ["support", "sales"],
  schedules: {
    fields: {
      graph: pick("echo", "echo", "counter"),
      prompt: fc.nat(2),
      tags: sometimes(fc.constant(true as const), 2),
      note: sometimes(pick("Helps customers."), 2),
    },
    inputsOf: ({ slot, graph, prompt, tags, note }) => ({
      ...{ name: slot, graphId: graph, context: { prefix: promptOf(slot, prompt) } },
      ...(isSensitive(slot) && { sensitive: true }),
      ...(tags && { config: { tags: [slot] } }),
      ...(note && { description: note }),
    }),
    contentOf: ({ slot, graph, prompt, tags, note }, outputs) => ({
      ...{ graph_id: graph, context: { prefix: promptOf(slot, prompt) }, version: outputs.version },
      ...{ "config.tags": tags && [slot], description: note },
    }),
  },
};
