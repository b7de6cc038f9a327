/** A server of tests, which answers as a function says, also in ways of servers that are imperfect. */
import { ConversationServer, type Probe } from "../../../../provider/conversations/server/conversation-server";
import { TestClock } from "../../../support/time/clock";

export type Body = { limit: number; offset: number; before?: object; checkpoint?: object };
export type Answer = [status: number, json?: unknown];

export function serve(answer: (path: string, body: Body) => Answer, isPython = true) {
  const requests: string[] = [];
  const probe: Probe = async ({ method, path, body }) => {
    requests.push(`${method} ${path}`);
    const [status, json] = answer(path, (body ?? {}) as Body);
    return { status, json, text: typeof json === "string" ? json : JSON.stringify(json ?? null) };
  };
  return { server: new ConversationServer(probe, isPython, new TestClock()), requests };
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
