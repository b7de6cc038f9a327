/** `npm run bench`: an agent server with 10,000 threads of 20 checkpoints each, created and queried over HTTP. */
import { type Figure, median } from "./figures.ts";
import type { Sandbox } from "./sandbox.ts";

const THREADS = 10_000;
const CHECKPOINTS = 20;
/** Concurrent requests while threads are created; measured requests are sequential. */
const WRITERS = 8;
const TIMES = 50;

/** One in a hundred threads has the same customer, one in ten the same region, and all have the same graph. */
const metadataOf = (n: number) => ({
  graph_id: "counter",
  customer: `customer-${n % 100}`,
  tags: [`region-${n % 10}`],
  n,
});

const update = (count: number) => ({ values: { count, note: "a little text" }, as_node: "count" });
const supersteps = Array.from({ length: CHECKPOINTS }, (_, n) => ({ updates: [update(n + 1)] }));

/** Returns the results for threads. Reports progress with `now`. */
export async function threads(sandbox: Sandbox, now: (status: string) => void): Promise<Figure[]> {
  const emulator = await sandbox.startEmulator("instant");
  const agent = await newAgent(emulator);
  const ids = await makeThreads(agent, now);
  now("querying");
  const search = (metadata: object) => () => post<unknown[]>(`${agent}/threads/search`, { metadata, limit: 10 });
  const history = (n: number) =>
    post<unknown[]>(`${agent}/threads/${ids[(n * 197) % THREADS]}/history`, { limit: CHECKPOINTS });
  const size = `${THREADS} threads of ${CHECKPOINTS} checkpoints`;
  return [
    figure("Search by metadata of few threads", 50, await time(search({ customer: "customer-7" }), 10), size),
    figure("Search by metadata of all threads", 50, await time(search({ graph_id: "counter" }), 10), size),
    figure("Search by an element of a list", 50, await time(search({ tags: ["region-3"] }), 10), size),
    figure("History of 20", 10, await time(history, CHECKPOINTS), size),
  ];
}

const figure = (what: string, most: number, measured: number, how: string): Figure => {
  return { what, unit: "ms", most, measured, how: `${how}, over HTTP, median` };
};

async function newAgent(emulator: string) {
  const { deployments } = await post<{ deployments: string[] }>(`${emulator}/_emulator/seed`, {
    deployments: [{ name: "threads" }],
  });
  return `${emulator}/agents/${deployments[0]}`;
}

async function makeThreads(agent: string, now: (status: string) => void) {
  const ids: string[] = [];
  let next = 0;
  async function write() {
    for (let n = next++; n < THREADS; n = next++) {
      const thread = await post<{ thread_id: string }>(`${agent}/threads`, { metadata: metadataOf(n), supersteps });
      ids[n] = thread.thread_id;
      if (n % 1000 === 0) now(`${n} of ${THREADS} threads`);
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write));
  return ids;
}

/** Returns the median duration in milliseconds. @throws if a response has another number of items. */
async function time(sendRequest: (n: number) => Promise<unknown[]>, expected: number) {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const begin = performance.now();
    const { length } = await sendRequest(n);
    times.push(performance.now() - begin);
    if (length !== expected) throw new Error(`The response has ${length} items instead of ${expected}.`);
  }
  return median(times);
}

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
