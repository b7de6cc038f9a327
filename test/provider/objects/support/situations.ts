/** What an agent server has before a create, and what becomes of the request. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { agentKinds } from "../../../support/agents/kinds";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { type Stack, type StackOptions, stateOf } from "../../../support/stack";
import { type Kind, kinds, STRANGERS, type Started } from "./agent-objects";

/** What a situation leads to. */
export interface Outcome {
  /** The objects afterwards, with the stranger's one. */
  count: number;
  /** Whether the resource manages the object that was there before. */
  isEarlier?: boolean;
  /** Part of the error; undefined where the create succeeds. */
  error?: RegExp;
  /** The warnings; none by default. */
  warning?: RegExp;
  /** Whether a create that succeeds changes what was there before; it does not by default. */
  changes?: boolean;
}

export interface Situation {
  title: string;
  /** The options of the server. */
  server?: Parameters<Kind["start"]>[0];
  /** Prepares the server, and returns the stack that creates, what it declares, and the ID that was there before. */
  arrange(kind: Kind, started: Started): Promise<{ stack: Stack; declared: PropertyMap; earlier?: string }>;
  outcomes: Record<string, Outcome | "absent">;
}

const NONE = { config: { ownerMarker: "false" } };
const RESUMING = /^warn: Resuming .+ created (it|this copy)\.( Its history is kept\.)?$/;

const all = (outcome: Outcome): Record<string, Outcome> => Object.fromEntries(kinds.map(({ noun }) => [noun, outcome]));

/** The outcome for kinds with a requested ID, of which a copy is another object. */
const ofRequested = (outcome: Outcome | "absent"): Record<string, Outcome | "absent"> =>
  Object.fromEntries(agentKinds.map(({ names }) => [names.noun, outcome]));

/** The outcome for kinds whose ID a program can declare. */
const declarable = (outcome: Outcome): Record<string, Outcome | "absent"> => ({
  ...all(outcome),
  ...{ cron: "absent", copy: "absent" },
});

/** Injects a fault into the next create request. */
const failCreate = ({ createPath }: Kind, { agents }: Started, fault: object) =>
  agents.emulator.faults.add({ method: "POST", path: agents.basePath + createPath, times: 1, ...fault });

/** The object of a stranger with the declared ID, which the first read does not show. */
async function unseenStranger({ idInput = "", path }: Kind, { agents, declared, createForeign }: Started) {
  const change = { [idInput]: await createForeign(STRANGERS) };
  // The first GET is that of the test.
  const fault = { method: "GET", path: `${agents.basePath}${path}/*`, status: 404, skip: 1 };
  await agents.emulator.faults.add({ ...fault, body: { detail: "not found" } });
  return { ...declared, ...change };
}

/** A run that is killed after its create; the next one has no state. */
async function killedRun({ stack, declared, agents }: Started, change: PropertyMap = {}, options: StackOptions = {}) {
  const first = stack(options);
  await first.up({ ...declared, ...change });
  await agents.advance(60_000);
  return { stack: first.fork(), earlier: stateOf(first).id };
}

const TAKEN = /already exists at .*No changes were made.*\nTo adopt it.*import: "/s;

/** Each is a row for each kind; `absent` is a situation that a kind cannot be in. */
export const situations: Situation[] = [
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
    outcomes: declarable({ count: 1, error: TAKEN }),
  },
  {
    title: "an object of a stranger has the declared ID, without markers",
    async arrange({ idInput = "" }, { stack, declared, createForeign }) {
      return { stack: stack(NONE), declared: { ...declared, [idInput]: await createForeign(STRANGERS) } };
    },
    outcomes: declarable({ count: 1, error: TAKEN }),
  },
  {
    title: "an object of a stranger gets the declared ID between the read and the create",
    arrange: async (kind, started) => ({ stack: started.stack(), declared: await unseenStranger(kind, started) }),
    outcomes: declarable({ count: 1, error: TAKEN }),
  },
  ...[{ status: 500 }, { status: 404 }, { connection: "reset-after" }].map(
    (fault): Situation => ({
      title: `an object of a stranger gets it then, and the create fails with ${JSON.stringify(fault)}`,
      async arrange(kind, started) {
        const declared = await unseenStranger(kind, started);
        await failCreate(kind, started, { body: { detail: "no" }, ...fault });
        return { stack: started.stack(), declared };
      },
      outcomes: declarable({ count: 1, error: /already exists|nothing shows that this request created it, so it was/ }),
    }),
  ),
  {
    title: "the response contains an object of a stranger",
    async arrange({ createPath, path }, { agents, stack, declared, createForeign }) {
      const { body } = await agents.callAgentServer("GET", `${path}/${await createForeign(STRANGERS)}`);
      await agents.advance(60_000);
      const suffix = createPath.replace(/.*\*/, "");
      const proxy = await startRewritingProxy(agents, (deployment) => deployment, {
        respond: (url, text) => (url.endsWith(suffix) ? JSON.stringify(body) : text),
      });
      const deploymentUrl = proxy.url + agents.basePath;
      return { stack: stack(), declared: { ...declared, deploymentId: undefined, deploymentUrl } };
    },
    outcomes: { ...all({ count: 2 }), copy: { count: 2, error: /contains thread|who requested them/ } },
  },
  {
    title: "other resources, stacks and owners left theirs",
    async arrange(_kind, { stack, declared }) {
      const others = [{ name: "other" }, { stack: "prod" }, { organization: "rivals" }];
      for (const options of [...others, { config: { ownerId: "team" } }]) await stack(options).up(declared);
      return { stack: stack(), declared };
    },
    outcomes: all({ count: 5 }),
  },
  {
    title: "a killed run left the object",
    arrange: async (_kind, started) => ({ ...(await killedRun(started)), declared: started.declared }),
    outcomes: all({ count: 1, isEarlier: true, warning: RESUMING }),
  },
  {
    title: "a killed run left the object, on a server that assigns IDs and changes nothing",
    server: { interfaceOnly: true },
    arrange: async (_kind, started) => ({ ...(await killedRun(started)), declared: started.declared }),
    outcomes: {
      ...{ assistant: "absent", cron: "absent", copy: "absent" },
      thread: { count: 2, warning: /nothing proves that it created them.+They were not changed.+To adopt one:/s },
    },
  },
  {
    title: "a killed run left the object, and others copied it with its marker",
    async arrange(_kind, started) {
      const { stack, earlier } = await killedRun(started);
      await started.duplicate(earlier);
      return { stack, earlier, declared: started.declared };
    },
    outcomes: { ...all({ count: 2, isEarlier: true, warning: RESUMING }), ...ofRequested("absent") },
  },
  {
    title: "others copied the object with its marker, and deleted it",
    async arrange({ path }, started) {
      const { stack, earlier } = await killedRun(started);
      await started.duplicate(earlier);
      await started.agents.callAgentServer("DELETE", `${path}/${earlier}`);
      return { stack, declared: started.declared };
    },
    outcomes: { ...all({ count: 2 }), ...ofRequested({ count: 2, warning: /Other \w+ .+ were not changed/ }) },
  },
  {
    title: "a killed run left an object with other inputs",
    async arrange(_kind, started) {
      const { stack, earlier } = await killedRun(started, started.replacing);
      return { stack, earlier, declared: started.declared };
    },
    outcomes: {
      ...all({
        count: 2,
        warning: new RegExp(
          "^warn: Earlier runs of this resource left .+ that no resource manages.+ created with other inputs and " +
            "were not changed\\. This resource manages .+\\.\nTo adopt one: .+\nTo delete one: +DELETE ",
          "s",
        ),
      }),
      copy: "absent",
    },
  },
  {
    title: "a killed run left the object with a declared ID",
    async arrange({ idInput = "" }, started) {
      const declared = { ...started.declared, [idInput]: STRANGERS };
      return { ...(await killedRun(started, { [idInput]: STRANGERS })), declared };
    },
    outcomes: declarable({ count: 1, isEarlier: true, warning: RESUMING }),
  },
  {
    title: "a killed run left the object, and the program changed since",
    arrange: async (_kind, started) => ({
      ...(await killedRun(started)),
      declared: { ...started.declared, ...started.changed },
    }),
    outcomes: all({ count: 1, isEarlier: true, warning: RESUMING, changes: true }),
  },
  {
    title: "another resource of the stack has the declared ID",
    async arrange({ idInput = "" }, started) {
      const declared = { ...started.declared, [idInput]: STRANGERS };
      const { earlier } = await killedRun(started, { [idInput]: STRANGERS }, { name: "other" });
      return { stack: started.stack(), declared, earlier };
    },
    outcomes: declarable({
      ...{ count: 1, error: /is already managed by this stack under another name\. No changes were made\..*aliases/s },
    }),
  },
  {
    title: "the response is lost",
    async arrange(kind, started) {
      await failCreate(kind, started, { connection: "reset-after" });
      return { stack: started.stack(), declared: started.declared };
    },
    outcomes: { ...all({ count: 1 }), copy: { count: 1, error: /may be copies of .+ run `pulumi up` again/s } },
  },
  {
    title: "the request does not arrive",
    async arrange(kind, started) {
      await failCreate(kind, started, { connection: "reset-before", times: 20 });
      return { stack: started.stack(), declared: started.declared };
    },
    outcomes: all({ count: 0, error: /Run `pulumi up` again/ }),
  },
  {
    title: "a proxy returns 404 for some seconds",
    async arrange(kind, started) {
      await failCreate(kind, started, { status: 404, body: "not here", times: 2 });
      return { stack: started.stack(), declared: started.declared };
    },
    outcomes: all({ count: 1 }),
  },
  {
    title: "without markers, a killed run left the object",
    arrange: async (_kind, started) => ({ ...(await killedRun(started, {}, NONE)), declared: started.declared }),
    outcomes: {
      ...all({ count: 1, isEarlier: true, warning: RESUMING }),
      ...{ cron: { count: 2 }, copy: { count: 2 } },
    },
  },
];
