/** Graphs whose contexts use all that the library of schemas has: `agentgraph types` writes types for them. */
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";

const State = Annotation.Root({ messages: Annotation() });

const Retry = z.object({
  attempts: z.number().int().min(1).max(10).default(3),
  backoff: z.number().nullable().optional().describe("Seconds between two attempts."),
});
const Search = z.object({ kind: z.literal("search"), index: z.string(), limit: z.number().optional() });
const Mail = z.strictObject({ kind: z.literal("mail"), sender: z.string() });
// The server fails to return the schema of what contains itself.
const Section = z.object({
  title: z.string(),
  get sections() {
    return z.array(Section).optional();
  },
});
const Support = z.object({
  user_id: z.string(),
  model: z.enum(["small", "large"]).optional().describe("Which model answers.\nA path ends with */."),
  temperature: z.number().min(0).max(1).optional(),
  version: z.literal(2).optional(),
  weights: z.union([z.literal(1), z.literal(2), z.null()]).optional(),
  retry: Retry.optional(),
  fallback: Retry.nullable().optional(),
  tools: z.array(z.discriminatedUnion("kind", [Search, Mail])).optional(),
  window: z.tuple([z.number(), z.number()]).optional(),
  path: z.tuple([z.string()]).rest(z.number()).optional(),
  numbers: z.record(z.string(), z.number()).optional(),
  modes: z.record(z.enum(["day", "night"]), z.boolean()).optional(),
  tags: z.array(z.string().min(1)).max(5).optional(),
  labels: z.looseObject({ team: z.string() }).optional(),
  both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })).optional(),
  answer: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
  since: z.iso.datetime().optional(),
  anything: z.any().optional(),
  "x-trace-id": z
    .string()
    .regex(/^[a-z]*$/)
    .optional(),
  class: z.string().optional(),
  größe: z.number().optional(),
});

const graph = (context) =>
  new StateGraph(State, context)
    .addNode("answer", () => ({ messages: [] }))
    .addEdge(START, "answer")
    .addEdge("answer", END)
    .compile();

export const support = graph(Support);
export const plain = graph(z.object({ prefix: z.string(), letters: z.enum(["upper", "lower"]).optional() }));
export const recursive = graph(Section);
export const bare = graph();
