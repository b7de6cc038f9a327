import { setImmediate } from "node:timers/promises";
import { type Context, RunScope } from "../../../../provider/definition/context";
import type { WaitOptions } from "../../../../provider/definition/wait";
import { waitUntilDeleted } from "../../../../provider/resources/deployment/deletion";

/** A fake server whose deployments disappear after a number of list requests; counts the requests. */
function createFakeServer(listsUntilDeleted: number) {
  const requests = { list: 0, each: 0 };
  const existing = (id: string) => ({ id, name: id, status: "AWAITING_DELETE" });
  const deploymentCache = {
    poll: async (id: string) => (++requests.list > listsUntilDeleted ? undefined : existing(id)),
    findDeleted: async (id: string) => {
      requests.each += 1;
      return requests.list < listsUntilDeleted ? existing(id) : undefined;
    },
  };
  const waitUntil = async <T>({ poll }: WaitOptions<T>) => {
    for (;;) {
      const result = await poll();
      if ("done" in result) return result.done;
      await setImmediate();
    }
  };
  return {
    requests,
    ctx: { clients: { deploymentCache }, scope: new RunScope(), waitUntil } as unknown as Context,
  };
}

it("waitUntilDeleted polls a shared list for many deployments, and each deployment itself first and last", async () => {
  const { requests, ctx } = createFakeServer(80);
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => waitUntilDeleted(`id-${i}`, ctx, { what: "it to be deleted" })),
  );
  expect(requests.each).toBe(16);
  expect(requests.list).toBeGreaterThanOrEqual(80);
});
