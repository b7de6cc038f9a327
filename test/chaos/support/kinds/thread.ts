import fc from "fast-check";
import { THREAD } from "../../../../provider/resources/thread/fields";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { isOfServer } from "../../../support/agents/kinds/kind";
import { superstep } from "../../../support/agents/threads";
import { countOwn, findOnAgentServers, type Place, serverOf } from "./agent-server";
import { type ChaosKind, expectEqual, type Observed, stateIn } from "./kind";
import { declaredIdOf, pick, sometimes } from "./values";

export interface ThreadSpec extends Place {
  slot: "session" | "chat" | "copy" | "draft";
  team: "support" | "sales";
  tier?: number | undefined;
  /** The first message, for threads that are not copies. */
  text?: "Hello" | "Hi" | undefined;
  /** Whether the program declares its ID. A copy has the ID that the server assigns. */
  declaresId?: true | undefined;
}

const SOURCE_OF: Partial<Record<ThreadSpec["slot"], string>> = { copy: "session", draft: "chat" };

export const threads: ChaosKind<ThreadSpec> = {
  slots: { session: "Thread", chat: "Thread", copy: "Thread", draft: "Thread" },
  weight: 4,
  specs: fc.record({
    slot: pick("session", "chat", "copy", "draft"),
    on: pick("shared", "api", "worker"),
    by: pick("deploymentId", "deploymentId", "deploymentUrl"),
    team: pick("support", "sales"),
    tier: sometimes(fc.nat(2), 2),
    text: fc.option(pick("Hello", "Hi"), { nil: undefined }),
    declaresId: sometimes(fc.constant(true as const)),
  }),

  /** A copy is on the server of its source. */
  declare(spec, program) {
    const { slot, team, tier, text, declaresId } = spec;
    const source = program.bySlot.get(SOURCE_OF[slot] ?? "") as ThreadSpec | undefined;
    const server = serverOf(source ?? spec, program);
    return {
      references: { ...server.references, ...(source && { copyFrom: { slot: source.slot, output: "id" } }) },
      inputs: {
        ...server.inputs,
        metadata: { graph_id: "echo", team, ...(tier !== undefined && { tier }) },
        ...(!source && declaresId && { threadId: declaredIdOf(slot) }),
        ...(!source && text && { supersteps: [superstep({ messages: [{ role: "user", content: text }] })] }),
      },
    };
  },

  async verify(world, specs) {
    expectEqual("the number of threads", await countOwn(world, THREAD), specs.length);
    for (const spec of specs) await verifyThread(world, spec);
  },

  findLeftovers: (world) => findOnAgentServers(world, THREAD, isOfServer),
};

async function verifyThread(world: Observed, spec: ThreadSpec): Promise<void> {
  const { id, outputs } = stateIn(world, spec.slot);
  const path = `${new URL(String(outputs.url)).pathname}/threads/${id}`;
  const { body, status } = await world.server.call<{ metadata: PropertyMap; values: PropertyMap | null }>("GET", path);
  expectEqual(`the status of ${path}`, status, 200);
  expectEqual(`the team of ${spec.slot}`, body.metadata.team, spec.team);
  if (spec.tier !== undefined) expectEqual(`the tier of ${spec.slot}`, body.metadata.tier, spec.tier);
  // An import does not compare the history.
  if (!world.declarations.imports.has(spec.slot))
    expectEqual(`the messages of ${spec.slot}`, messagesOf(body.values), textsOf(world, spec));
}

const messagesOf = (values: PropertyMap | null): unknown[] =>
  ((values?.messages ?? []) as { content: string }[]).map(({ content }) => content);

/** The messages that a thread begins with: its own, or those of the thread that it copies. */
function textsOf(world: Observed, spec: ThreadSpec): string[] {
  const { copyFrom } = world.program.find(({ slot }) => slot === spec.slot)?.references ?? {};
  const source = world.program.find(({ name }) => name === copyFrom?.name)?.slot;
  const declared = world.declarations.specs.find(({ slot }) => slot === source) as ThreadSpec | undefined;
  const { text } = declared ?? spec;
  return text === undefined ? [] : [text];
}
