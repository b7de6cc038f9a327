/** Milliseconds for the response of an agent. */
const responseMs = 1000;

/** Asks an agent for its graphs, as far as it has assistants; empty if it does not say. */
export async function askForGraphs({ host, port }: { host: string; port: number }): Promise<string[]> {
  try {
    const response = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port}/assistants/search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ limit: 1000 }),
      signal: AbortSignal.timeout(responseMs),
    });
    const found: unknown = response.ok ? await response.json() : [];
    const names = Array.isArray(found) ? found.map((assistant) => Object(assistant).graph_id) : [];
    return [...new Set(names.filter((name) => typeof name === "string"))];
  } catch {
    return [];
  }
}
