import fc from "fast-check";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { type AgentKind, countOwn, findOnAgentServers, isOfServer, type Place, serverOf } from "./agent-server";
import { type ChaosKind, declaredIdOf, expectEqual, isSensitive, pick, promptOf, sometimes, stateIn } from "./kind";

export interface AssistantSpec extends Place {
  slot: "support" | "sales";
  graph: "echo" | "counter";
  /** Version of the value in its context, which is secret for one of the two. */
  prompt: number;
  tags?: true | undefined;
  note?: string | undefined;
  /** Whether the program declares its ID. */
  declaresId?: true | undefined;
}

const KIND: AgentKind = { kind: "Assistant", route: "/assistants", key: "assistant_id", marker: "pulumi_assistant" };

export const assistants: ChaosKind<AssistantSpec> = {
  slots: { support: "Assistant", sales: "Assistant" },
  weight: 3,
  specs: fc.record({
    slot: pick("support", "sales"),
    on: pick("shared", "api", "worker"),
    by: pick("deploymentId", "deploymentId", "deploymentUrl"),
    graph: pick("echo", "echo", "counter"),
    prompt: fc.nat(2),
    tags: sometimes(fc.constant(true as const), 2),
    note: sometimes(pick("Helps customers."), 2),
    declaresId: sometimes(fc.constant(true as const)),
  }),

  declare(spec, program) {
    const { slot, graph, prompt, tags, note, declaresId } = spec;
    const { references, inputs } = serverOf(spec, program);
    const context = { prefix: promptOf(slot, prompt) };
    const own = { name: slot, graphId: graph, context, ...(isSensitive(slot) && { sensitive: true }) };
    const id = declaresId && { assistantId: declaredIdOf(slot) };
    return {
      references,
      inputs: {
        ...inputs,
        ...own,
        ...id,
        ...(tags && { config: { tags: [slot] } }),
        ...(note && { description: note }),
      },
    };
  },

  async verify(world, specs) {
    expectEqual("the number of assistants", await countOwn(world, KIND), specs.length);
    for (const { slot, graph, prompt, tags, note } of specs) {
      const { id, outputs } = stateIn(world, slot);
      const path = `${new URL(String(outputs.url)).pathname}/assistants/${id}`;
      const { body } = await world.server.call<PropertyMap & { config: PropertyMap }>("GET", path);
      expectEqual(`the graph of ${slot}`, body.graph_id, graph);
      expectEqual(`the context of ${slot}`, body.context, { prefix: promptOf(slot, prompt) });
      expectEqual(`the tags of ${slot}`, body.config?.tags, tags && [slot]);
      expectEqual(`the description of ${slot}`, body.description || undefined, note);
      expectEqual(`the version of ${slot} in state`, outputs.version, body.version);
    }
  },

  findLeftovers: (world) => findOnAgentServers(world, KIND, isOfServer),
};
