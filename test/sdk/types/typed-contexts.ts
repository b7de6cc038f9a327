/**
 * Type tests of contexts: `npm test` compiles this file and never runs it. A line under @ts-expect-error must be an
 * error. The types are those that `agentgraph types` writes for published servers.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import type { DeepInput } from "../../../sdk/nodejs/resources";
import type { SupportContext as ZodContext } from "../../cli/types/written/javascript-server";
import type {
  PlainContext,
  RecursiveContext,
  SupportConfig,
  SupportContext,
} from "../../cli/types/written/python-server";

declare const text: pulumi.Output<string>;
declare const count: pulumi.Output<number>;
declare const model: pulumi.Output<"small" | "large">;
const graph = { graphId: "support" };

/** Every value may be an Output, at any depth, and every kind of schema has its values. */
export const good: DeepInput<SupportContext> = {
  user_id: text,
  model,
  tone: "formal",
  level: 10,
  version: 2,
  weights: null,
  retry: { attempts: 2 },
  retries: { first: { backoff: 0.5 } },
  tools: [
    { kind: "search", index: text },
    { kind: "mail", sender: "a" },
  ],
  window: [0, 1],
  point: [text, 0.5],
  numbers: { a: 1 },
  tags: [text],
  outline: { title: text, sections: [{ title: "a" }] },
  labels: { team: "a", other: { any: text } },
  answer: ["a", text],
  price: "1.5",
  data: [{ any: text }],
  "x-trace-id": "a",
  class: "a",
  größe: 1,
};
export const wholeOutputs = (context: pulumi.Output<SupportContext>, tools: pulumi.Output<SupportContext["tools"]>) => [
  new dynamic.Assistant<SupportContext>("a", { ...graph, context }),
  new native.Assistant<SupportContext>("a", { ...graph, context: { tools } }),
];
export const zod: DeepInput<ZodContext> = { path: ["a", 1, 2], modes: { day: true, night: false }, fallback: null };
export const recursive: DeepInput<RecursiveContext> = { sections: [{ title: "a", sections: [{ title: "b" }] }] };

/** A type that someone wrote manually. */
interface OwnContext {
  prompt?: string;
}

export const assistants: dynamic.Assistant[] = [
  new dynamic.Assistant<SupportContext>("a", { ...graph, context: good }),
  new dynamic.Assistant<SupportContext, SupportConfig>("a", { ...graph, config: { configurable: { model } } }),
  new dynamic.Assistant("a", { ...graph, context: { any: { key: text } }, config: { configurable: { any: text } } }),
];
export const others = [
  new native.Assistant<SupportContext>("a", { ...graph, context: good }),
  new dynamic.Assistant<OwnContext>("a", { ...graph, context: { prompt: text } }),
  new dynamic.Cron<SupportContext>("a", { assistantId: "a", schedule: "0 3 * * *", context: { user_id: text } }),
];
/** A service names the contexts of its assistants by their keys. */
type Contexts = { desk: SupportContext; plain: PlainContext };
const deployment = { source: "internal_docker" } as const;
export const service = new dynamic.AgentService<Contexts>("a", {
  deployment,
  assistants: { desk: { ...graph, context: good }, plain: graph },
});
export const ofService: pulumi.Output<SupportContext | undefined> = service.assistants.desk.context;
export const untypedService: dynamic.AgentService = new native.AgentService("a", {
  deployment,
  assistants: { any: { ...graph, context: { any: { key: text } } } },
});

/** Outputs have the type of the context; without one, they are as before. */
export const attempts: pulumi.Output<number | undefined> = new dynamic.Assistant<SupportContext>(
  "a",
  graph,
).context.apply((context) => context?.retry?.attempts);
export const untyped: pulumi.Output<Record<string, unknown> | undefined> = new dynamic.Assistant("a", graph).context;
export const found: pulumi.Output<PlainContext | undefined> = dynamic.Assistant.get<PlainContext>("a", "id").context;

/** What is misspelled or mistyped does not compile, with dynamic resources and with the native provider. */
export const mistakes = [
  // @ts-expect-error a misspelled key
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { modl: "small" } }),
  // @ts-expect-error a value that is none of the enumeration
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { model: "medium" } }),
  // @ts-expect-error a text in place of a number
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { temperature: "high" } }),
  // @ts-expect-error a number in place of a text, as an Output
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { user_id: count } }),
  // @ts-expect-error a misspelled key inside
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { retry: { attempt: 2 } } }),
  // @ts-expect-error a choice that does not exist
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { tools: [{ kind: "serch", index: "a" }] } }),
  // @ts-expect-error a key of another choice
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { tools: [{ kind: "mail", index: "a" }] } }),
  // @ts-expect-error a list that is too short
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { window: [0] } }),
  // @ts-expect-error a map with a wrong value
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { numbers: { a: "1" } } }),
  // @ts-expect-error another constant
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { version: 3 } }),
  // @ts-expect-error a missing key inside
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { outline: { sections: [] } } }),
  // @ts-expect-error null where it is not allowed
  () => new dynamic.Assistant<SupportContext>("a", { ...graph, context: { retry: null } }),
  () =>
    new native.AgentService<Contexts>("a", {
      deployment,
      // @ts-expect-error a misspelled key of an assistant of a service
      assistants: { desk: { ...graph, context: { modl: "small" } }, plain: graph },
    }),
  () =>
    new dynamic.AgentService<Contexts>("a", {
      deployment,
      // @ts-expect-error an assistant that the service lacks
      assistants: { desk: { ...graph, context: good } },
    }),
  // @ts-expect-error an assistant that the service does not have
  () => service.assistants.dsk,
  () =>
    new dynamic.Assistant<SupportContext, SupportConfig>("a", {
      ...graph,
      // @ts-expect-error a misspelled key of the configuration
      config: { configurable: { modl: "a" } },
    }),
  // @ts-expect-error a misspelled key
  () => new native.Assistant<SupportContext>("a", { ...graph, context: { modl: "small" } }),
  () =>
    new native.Assistant<SupportContext, SupportConfig>("a", {
      ...graph,
      // @ts-expect-error a misspelled key of the configuration
      config: { configurable: { modl: "a" } },
    }),
];
