/**
 * What a create of each kind of object on an agent server does, by what the server has and what becomes of the request.
 * Each row is a situation, each column a kind; `absent` is a situation that a kind cannot be in.
 */
import type { PropertyMap } from "../../../provider/schema/schema";
import { type Kind, kinds, STRANGERS, type Started } from "../../support/agent-objects";
import { failureOf } from "../../support/errors";
import { type Stack, type StackOptions, stateOf } from "../../support/stack";

/** What a situation leads to. */
interface Outcome {
  /** The objects afterwards, with the stranger's one. */
  count: number;
  /** Whether the resource manages the object that was there before. */
  isEarlier?: boolean;
  /** Part of the error; undefined where the create succeeds. */
  error?: RegExp;
  /** The warnings; none by default. */
  warning?: RegExp;
}

interface Situation {
  title: string;
  /** Prepares the server, and returns the stack that creates, what it declares, and the ID that was there before. */
  arrange(kind: Kind, started: Started): Promise<{ stack: Stack; declared: PropertyMap; earlier?: string }>;
  outcomes: Record<string, Outcome | "absent">;
}

const all = (outcome: Outcome): Record<string, Outcome> => Object.fromEntries(kinds.map(({ noun }) => [noun, outcome]));

/** A run that is killed after its create; the next one has no state. */
async function killedRun({ stack, declared, agents }: Started, change: PropertyMap = {}, options: StackOptions = {}) {
  const first = stack(options);
  await first.up({ ...declared, ...change });
  await agents.advance(60_000);
  return { stack: first.fork(), earlier: stateOf(first).id };
}

const situations: Situation[] = [
  {
    title: "nothing is there",
    arrange: async (_kind, { stack, declared }) => ({ stack: stack(), declared }),
    outcomes: all({ count: 1 }),
  },
  {
    title: "an object of a stranger is there",
    async arrange(_kind, { stack, declared, createForeign }) {
      await createForeign(STRANGERS);
      return { stack: stack(), declared };
    },
    outcomes: all({ count: 2 }),
  },
  {
    title: "an object of a stranger has the declared ID",
    async arrange({ idInput = "" }, { stack, declared, createForeign }) {
      return { stack: stack(), declared: { ...declared, [idInput]: await createForeign(STRANGERS) } };
    },
    outcomes: {
      ...all({ count: 1, error: /already exists.*\n?.*No changes were made.*\nTo adopt it/s }),
      ...{ cron: "absent", copy: "absent" },
    },
  },
  {
    title: "a killed run left the object",
    arrange: async (_kind, started) => ({ ...(await killedRun(started)), declared: started.declared }),
    outcomes: all({
      count: 1,
      isEarlier: true,
      warning: /^warn: Resuming .+ created (it|this copy)\.( Its history is kept\.)?$/,
    }),
  },
  {
    title: "a killed run left the object with a declared ID",
    async arrange({ idInput = "" }, started) {
      const declared = { ...started.declared, [idInput]: STRANGERS };
      return { ...(await killedRun(started, { [idInput]: STRANGERS })), declared };
    },
    outcomes: {
      ...all({ count: 1, isEarlier: true, warning: /^warn: Resuming/ }),
      ...{ cron: "absent", copy: "absent" },
    },
  },
  {
    title: "a killed run left the object, and the program changed since",
    arrange: async (_kind, started) => ({
      ...(await killedRun(started)),
      declared: { ...started.declared, ...started.changed },
    }),
    outcomes: all({ count: 1, isEarlier: true, warning: /^warn: Resuming/ }),
  },
  {
    title: "another resource of the stack has the declared ID",
    async arrange({ idInput = "" }, started) {
      const declared = { ...started.declared, [idInput]: STRANGERS };
      const { earlier } = await killedRun(started, { [idInput]: STRANGERS }, { name: "other" });
      return { stack: started.stack(), declared, earlier };
    },
    outcomes: {
      ...all({
        count: 1,
        error: /is already managed by this stack under another name\. No changes were made\..*aliases/s,
      }),
      ...{ cron: "absent", copy: "absent" },
    },
  },
  {
    title: "the response is lost",
    async arrange({ createPath }, { agents, stack, declared }) {
      const path = agents.basePath + createPath;
      await agents.emulator.faults.add({ method: "POST", path, connection: "reset-after", times: 1 });
      return { stack: stack(), declared };
    },
    outcomes: { ...all({ count: 1 }), copy: { count: 1, error: /may be copies of .+ run `pulumi up` again/s } },
  },
  {
    title: "the request does not arrive",
    async arrange({ createPath }, { agents, stack, declared }) {
      const path = agents.basePath + createPath;
      await agents.emulator.faults.add({ method: "POST", path, connection: "reset-before", times: 20 });
      return { stack: stack(), declared };
    },
    outcomes: all({ count: 0, error: /Run `pulumi up` again/ }),
  },
  {
    title: "a proxy returns 404 for some seconds",
    async arrange({ createPath }, { agents, stack, declared }) {
      const path = agents.basePath + createPath;
      await agents.emulator.faults.add({ method: "POST", path, status: 404, body: "not here", times: 2 });
      return { stack: stack(), declared };
    },
    outcomes: all({ count: 1 }),
  },
  {
    title: "without markers, a killed run left the object",
    async arrange(_kind, started) {
      const config = { ownerMarker: "false" };
      return { ...(await killedRun(started, {}, { config })), declared: started.declared };
    },
    outcomes: {
      ...all({ count: 1, isEarlier: true, warning: /^warn: Resuming/ }),
      ...{ cron: { count: 2 }, copy: { count: 2 } },
    },
  },
];

const rows = situations.flatMap(({ outcomes, ...situation }) =>
  kinds.flatMap((kind) => {
    const outcome = outcomes[kind.noun];
    return outcome === undefined || outcome === "absent" ? [] : [{ kind, situation, outcome }];
  }),
);

it.each(rows.map((row) => [row.kind.noun, row.situation.title, row] as const))(
  "A create of a %s has one outcome where %s",
  async (_noun, _title, { kind, situation, outcome }) => {
    const started = await kind.start();
    const { stack, declared, earlier } = await situation.arrange(kind, started);
    const before = await started.ids();
    const contents = () => Promise.all(before.map((id) => started.agents.callAgentServer("GET", `${kind.path}/${id}`)));
    const contentsBefore = await contents();
    const result = stack.up(declared);
    if (outcome.error) {
      const { message } = await failureOf(result);
      expect(message).toMatch(outcome.error);
      expect(stack.state).toBeUndefined();
      // A failed create changes nothing that was there.
      expect(await contents()).toEqual(contentsBefore);
    } else {
      await result;
      expect(await started.ids()).toContain(stateOf(stack).id);
      expect(stateOf(stack).id === earlier).toBe(outcome.isEarlier ?? false);
    }
    const warnings = stack.messages.filter((text) => text.startsWith("warn:"));
    if (!outcome.error) expect(warnings).toEqual(outcome.warning ? [expect.stringMatching(outcome.warning)] : []);
    expect(await started.ids()).toHaveLength(outcome.count);
  },
);
