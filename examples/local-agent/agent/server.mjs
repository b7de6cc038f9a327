// The smallest agent server: health, assistants, threads and runs, in memory. node server.mjs PORT
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

if (!process.env.MODEL_API_KEY) {
  console.error("MODEL_API_KEY is not set");
  process.exit(1);
}

/** The graph: greets with the greeting of the assistant. */
const greet = ({ messages = [] }, { greeting = "Hello" }) => ({
  messages: [...messages, { type: "ai", content: `${greeting}: ${messages.at(-1)?.content ?? ""}` }],
});

const kinds = {
  threads: { id: "thread_id", items: new Map(), defaults: () => ({ status: "idle", values: {} }) },
  assistants: { id: "assistant_id", items: new Map(), defaults: () => ({ version: 1, config: {}, context: {} }) },
};

const httpError = (status, message) => Object.assign(new Error(message), { status });

function create({ id, items, defaults }, { if_exists, supersteps, ...body }) {
  const key = body[id] ?? randomUUID();
  if (items.has(key)) {
    if (if_exists === "do_nothing") return items.get(key);
    throw httpError(409, `${key} already exists`);
  }
  const now = new Date().toISOString();
  items.set(key, { metadata: {}, ...defaults(), ...body, [id]: key, created_at: now, updated_at: now });
  return items.get(key);
}

// Each graph has a default assistant, whose ID is a UUID v5 of its name.
create(kinds.assistants, { assistant_id: "e57a9d33-62f5-55b4-a9c5-c71ccb9afa57", graph_id: "greeter" });

function update(item, { metadata = {}, ...body }) {
  Object.assign(item, body, { metadata: { ...item.metadata, ...metadata }, updated_at: new Date().toISOString() });
  if (item.version !== undefined) item.version++;
  return item;
}

function search({ id, items }, { metadata = {}, ids, limit = 10, offset = 0 }) {
  const contains = (item) => Object.entries(metadata).every(([key, value]) => item.metadata[key] === value);
  const matches = [...items.values()].filter((item) => (ids?.includes(item[id]) ?? true) && contains(item));
  return matches.slice(offset, offset + limit);
}

function run(thread, { assistant_id, input = {} }) {
  thread.values = greet({ ...thread.values, ...input }, kinds.assistants.items.get(assistant_id)?.context ?? {});
  return thread.values;
}

function route(method, [kindName, key, ...rest], body) {
  if (kindName === "ok") return { ok: true };
  if (kindName === "info") return { version: "0.1.0", flags: { assistants: true, crons: false } };
  // A run without a thread, which leaves nothing.
  if (kindName === "runs" && key === "wait") return run({ values: {} }, body);
  const kind = kinds[kindName];
  if (!kind) throw httpError(404, "Not Found");
  if (method === "POST" && key === undefined) return create(kind, body);
  if (method === "POST" && key === "search") return search(kind, body);
  const item = kind.items.get(key);
  if (!item) throw httpError(404, `${key} not found`);
  const action = rest.join("/");
  if (action === "runs/wait") return run(item, body);
  if (action === "state") return { values: item.values, next: [], tasks: [], metadata: {}, checkpoint: {} };
  if (action === "history") return [];
  if (action !== "") throw httpError(404, "Not Found");
  if (method === "PATCH") return update(item, body);
  if (method === "DELETE") kind.items.delete(key);
  return item;
}

const server = createServer(async (request, response) => {
  const send = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    const text = (await request.toArray()).join("");
    const [, ...path] = new URL(request.url, "http://agent").pathname.split("/");
    send(200, route(request.method, path, text ? JSON.parse(text) : {}));
  } catch (error) {
    send(error.status ?? 400, { detail: error.message });
  }
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("The agent is ready"));
// Requests that are in progress are completed first.
process.on("SIGTERM", () => server.close(() => process.exit(0)));
