/** Whether a name is free: determined from the whole list, for all kinds of paging. */
import { dockerDeployment } from "../../../support/deployments/inputs";
import { failureOf } from "../../../support/errors";
import { startPlatform } from "../../../support/platform";
import { type Paging, startPagingProxy } from "../../../support/servers/paging-proxy";
import { Stack, stateOf } from "../../../support/stack";

/**
 * A workspace whose oldest deployment has the name `agent`, which is part of other names, on a server with this paging.
 */
async function startWith(count: number, paging: Paging) {
  const platform = await startPlatform();
  const names = ["agent", ...Array.from({ length: count - 1 }, (_, n) => (n % 2 ? `agent-${n}` : `other-${n}`))];
  await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
  return { platform, proxy: await startPagingProxy(platform, paging) };
}

// @covers 10A.name-taken, 10A.name-filter
it.each<[string, number, Paging]>([
  ["whose pages hold seven of 45", 45, { maxPageSize: 7 }],
  ["whose pages hold seven of 20", 20, { maxPageSize: 7 }],
  ["that ignores the offset", 60, { ignoresOffset: true }],
])("the name of the last deployment in the list counts as taken on a server %s", async (_what, count, paging) => {
  const { platform, proxy } = await startWith(count, paging);
  const stack = new Stack(proxy);
  await expect(stack.up(dockerDeployment())).rejects.toThrow('the name "agent" is taken');
  expect(platform.requests({ method: "POST" })).toEqual([]);
});

it("an unused name is free on a server with seven of 45 deployments per page", async () => {
  const { platform, proxy } = await startWith(45, { maxPageSize: 7 });
  const stack = new Stack(proxy);
  await stack.up(dockerDeployment({ name: "free" }));
  expect((await platform.getDeployment(stateOf(stack).id)).name).toBe("free");
});

it("a create fails on a server that returns only one full page, because the name may be taken", async () => {
  const { platform, proxy } = await startWith(240, { ignoresOffset: true });
  const { message } = await failureOf(new Stack(proxy).up(dockerDeployment({ name: "agent" })));
  expect(message).toBe(
    'Deployment "agent": Could not list all deployments: after 100 of them the server returned the first ' +
      'page again. Does it support paging?\nCould not determine whether the name "agent" is taken. Nothing ' +
      "was created. Run `pulumi up` again.",
  );
  expect(platform.requests({ method: "POST" })).toEqual([]);
});
