import { setImmediate } from "node:timers/promises";
import type { Context } from "../../../../provider/definition/context";
import type { WaitOptions } from "../../../../provider/definition/wait";
import { HttpError } from "../../../../provider/http/errors";
import { waitUntilDeleted } from "../../../../provider/resources/deployment/create/requests";

/** A service from which so many deployments vanish once the list was asked so often; what was asked of it. */
function service(looksUntilGone: number) {
  const asked = { list: 0, each: 0 };
  const there = (id: string) => ({ id, name: id, status: "AWAITING_DELETE" });
  const directory = {
    look: async (id: string) => (++asked.list > looksUntilGone ? undefined : there(id)),
  };
  const controlPlane = {
    getDeployment: async (id: string) => {
      asked.each += 1;
      if (asked.list < looksUntilGone) return there(id);
      throw new HttpError({ method: "GET", path: `/v2/deployments/${id}`, status: 404, detail: "Not Found" });
    },
  };
  const waitUntil = async <T>({ poll: look }: WaitOptions<T>) => {
    for (;;) {
      const verdict = await look();
      if ("done" in verdict) return verdict.done;
      await setImmediate();
    }
  };
  return { asked, ctx: { clients: { directory, controlPlane }, waitUntil } as unknown as Context };
}

it("many deletes ask the list who is still there, and each deployment itself first and last", async () => {
  const { asked, ctx } = service(80);
  await Promise.all(Array.from({ length: 8 }, (_, i) => waitUntilDeleted(`id-${i}`, ctx, "it to be gone")));
  expect(asked.each).toBe(16);
  expect(asked.list).toBeGreaterThanOrEqual(80);
});

it("a single delete asks the deployment itself alone", async () => {
  const { asked, ctx } = service(0);
  await waitUntilDeleted("id", ctx, "it to be gone");
  expect(asked).toEqual({ list: 0, each: 1 });
});
