// A conversation with an agent, over the HTTP API of its agent server.
import * as pulumi from "@pulumi/pulumi";

const apiKey = new pulumi.Config("agentgraph").get("apiKey") ?? process.env.AGENTGRAPH_API_KEY;

/**
 * Asks a question on a new thread and returns the reply. After a failure, the thread remains for inspection.
 * @throws Error if the server does not respond within a minute, or if the run fails
 */
export async function ask(url: string, question: string): Promise<string> {
  const { thread_id } = await send(url, "POST", "/threads", { metadata: { purpose: "smoke test" } });
  const input = { messages: [{ role: "user", content: question }] };
  const run = `/threads/${thread_id}/runs/wait`;
  // Change the name of the assistant to the name of your graph.
  const { messages, __error__ } = await send(url, "POST", run, { assistant_id: "agent", input });
  if (__error__) throw new Error(`the run on thread ${thread_id} failed: ${__error__.message}`);
  await send(url, "DELETE", `/threads/${thread_id}`);
  return messages?.at(-1)?.content ?? "";
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response depends on the graph.
async function send(url: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(apiKey && { "X-Api-Key": apiKey }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text && JSON.parse(text);
}
