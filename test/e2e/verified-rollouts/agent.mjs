// An agent that behaves as the tag of its image says: node agent.mjs PORT IMAGE, where the tag is RELEASE-BEHAVIOR.
import { createServer } from "node:http";

const [port, image] = process.argv.slice(2);
const [, release, behavior] = /:([\d.]+)-(.+)$/.exec(image);
const { MODEL_API_KEY, MODEL } = process.env;

const MODELS = ["large-1", "small-1"];
const NODES = ["__start__", "answer", "approve", "__end__"];
/** The threads of the database, which all revisions share: seven wait for an answer. */
const THREADS = Array.from({ length: 7 }, (_, number) => ({
  ...{ thread_id: `00000000-0000-4000-8000-00000000000${number}`, status: "interrupted", values: {}, interrupts: {} },
  metadata: { graph_id: "support", assistant_id: "support" },
  ...{ created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" },
}));

const json = (value, status = 200) => ({ status, text: JSON.stringify(value) });
const fail = (status, detail) => json({ detail }, status);
const message = (content) =>
  json({
    messages: [
      { type: "human", content: "…" },
      { type: "ai", content },
    ],
  });
const failedRun = (text) => json({ __error__: { error: "ModelError", message: text } });
const graph = (nodes) => json({ nodes: nodes.map((id) => ({ id })), edges: [] });
const report = (more = {}) => json({ release, tools: ["search", "order"], ...more });

/** Adds two numbers, and knows when the shop is open. */
function answer(question) {
  const [, one, other] = /(\d+) plus (\d+)/.exec(question) ?? [];
  return one ? `That is ${Number(one) + Number(other)}.` : "We are open from 9 to 17.";
}

const routes = {
  "GET /ok": () => json({ ok: true }),
  "GET /report": ({ headers }) => (headers["x-team"] === "support" ? report() : fail(403, "Not of a team")),
  "GET /self-test": () => json({ passed: 12 }),
  "POST /runs/wait": ({ body: { assistant_id: id, input } }) => {
    if (id !== "support") return fail(404, `Graph ${id} not found`);
    if (!MODEL_API_KEY) return fail(500, "MODEL_API_KEY is not set");
    return MODELS.includes(MODEL) ? message(answer(input.messages[0].content)) : failedRun(`no model ${MODEL}`);
  },
  "POST /threads/search": ({ body: { offset = 0 } }) => json(offset === 0 ? THREADS : []),
  "GET /threads/ID/state": () => json({ values: {}, next: ["approve"], tasks: [], metadata: {}, checkpoint: {} }),
  "GET /assistants/ID": () => json({ assistant_id: "support", graph_id: "support", metadata: {} }),
  "GET /assistants/ID/graph": () => graph(NODES),
  "POST /assistants/search": () => json([{ assistant_id: "support", graph_id: "support", metadata: {} }]),
};
const { "POST /runs/wait": run, "GET /report": reportOf, "GET /ok": health } = routes;

/** Responds in another way to the first requests of a route. */
const first = (count, other, usual) => (request) => (request.number <= count ? other(request) : usual(request));
const after = (count, other, usual) => first(count, usual, other);
const isSum = ({ body }) => /plus/.test(body.input.messages[0].content);
/** Answers sums wrongly: those with an odd first number, of as many as asked. */
const wrongSums = (numbers) => (request) =>
  isSum(request) && numbers.includes(Number(/\d+/.exec(request.body.input.messages[0].content)?.[0]))
    ? message("7")
    : run(request);
const crash = () => process.exit(1);

const changes = {
  crashes: Object.fromEntries(Object.keys(routes).flatMap((route) => (route === "GET /ok" ? [] : [[route, crash]]))),
  "wrong-answer": { "POST /runs/wait": () => message("I cannot help with that.") },
  "endless-answer": { "POST /runs/wait": () => ({ status: 200, endless: true }) },
  "no-body": { "POST /runs/wait": () => ({ status: 200, text: "" }) },
  "connection-closed": {
    "POST /runs/wait": () => ({ status: 200, text: '{"messages": [{"content": "We are open from 9 to', closes: true }),
  },
  "report-500": { "GET /report": () => fail(500, "the tools cannot be reached") },
  "half-of-sums": { "POST /runs/wait": wrongSums([1, 2, 3, 4]) },
  "no-node": { "GET /assistants/ID/graph": () => graph(["__start__", "answer", "review", "__end__"]) },
  "self-test-fails": { "GET /self-test": () => fail(500, "3 of 12 self-tests failed") },
  "unhealthy-later": { "GET /ok": after(2, () => fail(503, "the model is gone"), health) },

  "one-500": { "GET /report": first(1, () => fail(500, "not yet"), reportOf) },
  "six-of-eight-sums": { "POST /runs/wait": wrongSums([1, 2]) },
  "one-more-node": { "GET /assistants/ID/graph": () => graph([...NODES, "review"]) },
  "answer-in-parts": { "POST /runs/wait": (request) => ({ ...run(request), inParts: true }) },
  "late-start": {},
};

const handlers = { ...routes, ...changes[behavior] };
const counts = new Map();

function sendParts(response, parts) {
  if (parts.length === 0) return response.end();
  response.write(parts.shift());
  setTimeout(sendParts, 5, response, parts);
}

const server = createServer(async (request, response) => {
  const text = (await request.toArray()).join("");
  const path = new URL(request.url, "http://agent").pathname.replace(
    /^(\/(threads|assistants))\/(?!search)[^/]+/,
    "$1/ID",
  );
  const route = `${request.method} ${path}`;
  const number = (counts.get(route) ?? 0) + 1;
  counts.set(route, number);
  const handler = handlers[route] ?? (() => fail(404, "Not Found"));
  const body = text ? JSON.parse(text) : {};
  const { status, ...rest } = await handler({ headers: request.headers, number, body });
  response.writeHead(status, { "content-type": "application/json" });
  if (rest.closes) return response.write(rest.text, () => response.destroy());
  if (rest.inParts) return sendParts(response, [...rest.text]);
  if (!rest.endless) return response.end(rest.text);
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
});
const listen = () => server.listen(Number(port), "127.0.0.1", () => console.log(`Release ${release} listens`));
setTimeout(listen, behavior === "late-start" ? 1000 : 0);
// Requests without an end would keep it running.
process.on("SIGTERM", () => process.exit(0));
