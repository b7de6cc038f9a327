/** Generates realistic trace runs as NDJSON for the emulator, five runs per trace, always the same. */

const WORDS =
  "the customer asks where the order is that was placed last week and shipped late please check status and reply politely with the policy that applies in this region search result weather price ticket flight hotel invoice address".split(
    " ",
  );
const NAMES = ["agent", "retriever", "ChatModel", "search", "summarize"];
const TYPES = ["chain", "retriever", "llm", "tool", "llm"];
const PER_CHUNK = 500;

/** Generates `count` runs, spread evenly over `days` days from `begin` (milliseconds since the epoch). */
export async function* sampleRuns(count, begin, days) {
  const random = createRandom(7);
  let [root, chunk] = ["", ""];
  for (let index = 0; index < count; index++) {
    const place = index % NAMES.length;
    const id = uuid(random);
    if (place === 0) root = id;
    const start = begin + Math.floor((index * days * 86_400_000) / count);
    chunk += `${JSON.stringify(run(random, { id, root, place, start }))}\n`;
    if ((index + 1) % PER_CHUNK !== 0 && index + 1 < count) continue;
    yield chunk;
    chunk = "";
  }
}

function run(random, { id, root, place, start }) {
  const [llm, failed] = [TYPES[place] === "llm", random() < 0.03];
  const [prompt, completion] = llm ? [Math.floor(random() * 2000), Math.floor(random() * 500)] : [null, null];
  const at = (offset) => new Date(start + offset).toISOString();
  return {
    id,
    name: NAMES[place],
    run_type: TYPES[place],
    start_time: at(0),
    end_time: at(1 + Math.floor(random() * 5000)),
    ...lineage(id, root, place, at(0)),
    inputs: { messages: [{ role: "user", content: text(random), id: uuid(random) }] },
    outputs: failed
      ? null
      : { message: { role: "assistant", content: text(random), tokens: Math.floor(random() * 1000) } },
    error: failed ? `ValueError: ${text(random).slice(0, 60)}` : null,
    extra: {
      metadata: { thread_id: root, revision: `v${Math.floor(random() * 9)}` },
      runtime: { sdk: "py", version: "0.3.1" },
    },
    events: llm
      ? [
          { name: "start", time: at(0) },
          { name: "end", time: at(900) },
        ]
      : null,
    tags: random() < 0.3 ? null : [WORDS[Math.floor(random() * 30)], "production"],
    prompt_tokens: prompt,
    completion_tokens: completion,
    ...(llm && { prompt_cost: prompt * 3e-6, completion_cost: completion * 15e-6, first_token_time: at(300) }),
  };
}

function lineage(id, root, place, time) {
  const segment = (own) => `${time.replace(/[-:.]/g, "").slice(0, -1)}000Z${own}`;
  if (place === 0) return { trace_id: id, dotted_order: segment(id), parent_run_ids: [] };
  return {
    trace_id: root,
    parent_run_id: root,
    parent_run_ids: [root],
    dotted_order: `${segment(root)}.${segment(id)}`,
  };
}

/** Returns 200 to 450 characters. */
function text(random) {
  const length = 200 + random() * 250;
  let words = "";
  while (words.length < length) words += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return words;
}

function uuid(random) {
  const hex = (length) =>
    Math.floor(random() * 16 ** length)
      .toString(16)
      .padStart(length, "0");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

/** A seeded random number generator (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
