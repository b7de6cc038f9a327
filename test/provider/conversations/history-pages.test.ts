/** How many checkpoints of a thread are read at once. */
import { ConversationServer, type Probe } from "../../../provider/conversations/server/conversation-server";
import { HttpError } from "../../../provider/http/errors";

/** Returns a server whose threads have checkpoints of a size, by ID: `<count>x<characters>`. */
function start(isLearning: boolean) {
  const limits: number[] = [];
  const probe: Probe = ({ path, body }) => {
    const [count = 0, characters = 0] = (path.split("/")[2] ?? "").split("x").map(Number);
    const { limit, before } = body as { limit: number; before?: { configurable: { checkpoint_id: string } } };
    const first = before ? Number(before.configurable.checkpoint_id) + 1 : 0;
    limits.push(limit);
    const ids = Array.from({ length: Math.min(limit, count - first) }, (_, index) => String(first + index));
    if (ids.length * characters > 10_000_000)
      return Promise.reject(new HttpError({ method: "POST", path, status: 200, detail: "the response is larger" }));
    const page = ids.map((id) => ({ values: "x".repeat(characters), checkpoint: { checkpoint_id: id } }));
    return Promise.resolve({ status: 200, json: undefined, text: JSON.stringify(page) });
  };
  const server = new ConversationServer(probe, true, undefined, isLearning);
  const read = async (id: string) => {
    limits.length = 0;
    return [(await server.readHistory(id)).length, ...limits];
  };
  return read;
}

it("The first history is read with two requests, and the next ones of such a size with one", async () => {
  const read = start(true);
  expect(await read("21x1000")).toEqual([21, 1, 100]);
  expect(await read("21x1000")).toEqual([21, 32]);
  expect(await read("50x1000")).toEqual([50, 32, 1000]);
});

it("Once a checkpoint was large, few are read at once", async () => {
  const read = start(true);
  await read("3x400000");
  expect(await read("21x1000")).toEqual([21, 1, 100]);
  expect(await read("30x400000")).toEqual([30, 1, 19, 19]);
});

it("Where a response would be too large, fewer are read at once, and a single one is named", async () => {
  const read = start(true);
  await read("21x1000");
  expect(await read("32x1000000")).toEqual([32, 32, 8, 7, 7, 7, 7]);
  await expect(read("1x11000000")).rejects.toThrow("POST /threads/1x11000000/history: 200: the response is larger");
});

it("A server that is opened for one thread reads one checkpoint first", async () => {
  const read = start(false);
  await read("21x1000");
  expect(await read("21x1000")).toEqual([21, 1, 100]);
});
