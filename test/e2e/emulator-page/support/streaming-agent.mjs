// An agent server that streams one run: text in two parts, of which the second waits for GET /continue, then a call of
// a tool that a person must approve.
import { createServer } from "node:http";

const call = { id: "call-1", name: "refund", args: { order: 17, amount: 89.9 } };
const review = {
  action_requests: [{ name: call.name, args: call.args, description: "Refund the customer?" }],
  review_configs: [{ action_name: call.name, allowed_decisions: ["approve", "reject"] }],
};
const parts = ["I look at ", "your order."];

const thread = { thread_id: "b7a1c1a0-0000-4000-8000-000000000001", metadata: { graph_id: "support" } };
const interrupts = [{ id: "question-1", value: review }];
let history = [];
let release = () => {};

function add(source, ran, change, next, asked = []) {
  const before = history[0];
  const id = `c-${history.length}`;
  const at = { checkpoint_id: id };
  const values = {
    ...before?.values,
    ...change,
    messages: [...(before?.values.messages ?? []), ...(change.messages ?? [])],
  };
  const tasks = next.map((name) => ({ name, interrupts: asked }));
  const times = { created_at: new Date(1_800_000_000_000).toISOString() };
  const state = {
    values,
    next,
    tasks,
    metadata: { source },
    ...times,
    checkpoint: at,
    parent_checkpoint: before?.checkpoint,
  };
  history = [state, ...history];
  Object.assign(thread, { values, status: asked.length > 0 ? "interrupted" : "idle", interrupts: { task: asked } });
  return [
    ["updates", { [ran]: change }],
    ["values", values],
  ];
}

async function* run({ input, command }) {
  if (command) {
    thread.answer = command.resume;
    const result = { type: "tool", id: "m-4", tool_call_id: call.id, content: "Refunded 89.90" };
    yield* add("loop", "tools", { messages: [result], refunded: true }, []);
    return;
  }
  add("input", "", {}, ["__start__"]);
  const question = { type: "human", id: "m-1", content: input.messages[0].content };
  yield add("loop", "__start__", { messages: [question] }, ["model"])[1];
  const part = (content) => ["messages", [{ type: "AIMessageChunk", id: "m-2", content }, {}]];
  yield part(parts[0]);
  await new Promise((resolve) => {
    release = resolve;
  });
  yield part(parts[1]);
  const answer = { type: "ai", id: "m-2", content: parts.join(""), tool_calls: [call] };
  yield* add("loop", "model", { messages: [answer] }, ["tools"], interrupts);
  yield ["updates", { __interrupt__: interrupts }];
}

const server = createServer(async (request, response) => {
  const text = (await request.toArray()).join("");
  const body = text === "" ? {} : JSON.parse(text);
  const { pathname } = new URL(request.url, "http://agent");
  const send = (value) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  if (pathname.endsWith("/history")) return send(history);
  if (pathname === "/continue") release();
  if (pathname === "/assistants/search") {
    const assistants = [{ assistant_id: "a-1", graph_id: "support", name: "Order desk" }];
    return send([...assistants, { assistant_id: "a-2", graph_id: "support", metadata: { created_by: "system" } }]);
  }
  if (!pathname.endsWith("/runs/stream")) return send(thread);
  Object.assign(thread.metadata, { assistant_id: body.assistant_id });
  response.setHeader("content-type", "text/event-stream");
  for await (const [event, data] of run(body)) response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  response.end();
});
server.listen(Number(process.argv[2]), "127.0.0.1");
process.on("SIGTERM", () => server.close(() => process.exit(0)));
