/** Conversations of agents of the emulator that no run makes, so that no time passes. */
import type { Platform } from "../platform";

interface Thread {
  thread_id: string;
  values: { messages?: { content: string }[] } | null;
}

const message = (type: string, content: string) => ({ messages: [{ type, content, id: `${type}-${content}` }] });

/** Creates a thread in which the agent has replied, or is about to. Returns its ID. */
export async function talk(platform: Platform, agent: string, text: string, hasReplied = true): Promise<string> {
  const updates = [
    { as_node: "__start__", values: message("human", text) },
    ...(hasReplied ? [{ as_node: "echo", values: message("ai", `Echo: ${text}`) }] : []),
  ];
  const body = { metadata: { graph_id: "echo" }, supersteps: updates.map((update) => ({ updates: [update] })) };
  const created = await platform.call("POST", `/agents/${agent}/threads`, body);
  expect(created.status).toBe(200);
  return (created.body as unknown as Thread).thread_id;
}

/** Returns the texts of each thread of an agent, by ID. */
export async function textsOf(platform: Platform, agent: string): Promise<Record<string, string[]>> {
  const { body } = await platform.call("POST", `/agents/${agent}/threads/search`, { limit: 100 });
  const threads = body as unknown as Thread[];
  const contents = ({ values }: Thread) => (values?.messages ?? []).map(({ content }) => content);
  return Object.fromEntries(threads.map((one) => [one.thread_id, contents(one)]));
}
