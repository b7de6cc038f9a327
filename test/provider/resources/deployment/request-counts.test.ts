/** The requests of each operation, from the emulator's request log. */
import { createDeployment, startDeployment } from "../../../support/deployments/create";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

const LIST = "GET /v2/deployments";
const ONE = "GET /v2/deployments/{id}";
const REVISION = "GET /v2/deployments/{id}/revisions/{id}";

/** Returns the requests of an operation, with all polls of a revision as one. */
async function requestsOf(platform: Platform, act: () => Promise<unknown>): Promise<string[]> {
  await platform.emulator.requestLog.clear();
  await act();
  return platform.requests().filter((request, index, all) => request !== REVISION || all[index - 1] !== REVISION);
}

it("creates of Deployments read the whole list of a workspace once per run", async () => {
  const platform = await startPlatform();
  await platform.emulator.seed({ deployments: Array.from({ length: 60 }, (_, n) => ({ name: `other-${n}` })) });
  const stack = new Stack(platform);
  const requests = await requestsOf(platform, () => stack.up(dockerDeployment()));
  expect(requests).toEqual([LIST, LIST, "POST /v2/deployments", REVISION, ONE]);
  const host = stack.host();
  const both = () =>
    Promise.all(["one", "two"].map((name) => stack.fork({ name }).up(dockerDeployment({ name }), host)));
  expect((await requestsOf(platform, both)).filter((request) => request === LIST)).toHaveLength(2);
});

it("a Deployment that may be one of many is read before its revision, because it may be live at once", async () => {
  const { platform, stack } = await startDeployment();
  const host = stack.host();
  const create = (name: string) => stack.fork({ name }).up(dockerDeployment({ name }), host);
  await Promise.all(["one", "two"].map(create));
  expect(await requestsOf(platform, () => create("three"))).toEqual(["POST /v2/deployments", ONE, REVISION, ONE]);
});

// @covers 1A.3, 6:unsaid
it("a rollout of three seconds is polled about twice a second", async () => {
  const platform = await startPlatform();
  await new Stack(platform).up(dockerDeployment());
  const polls = platform.requests().filter((request) => request === REVISION).length;
  expect(polls).toBeGreaterThan(4);
  expect(polls).toBeLessThan(10);
});

// @covers 1A.2, 4A.GET /v2/deployments/{deployment_id}
it("a refresh of a Deployment sends one request", async () => {
  const { platform, stack } = await createDeployment();
  expect(await requestsOf(platform, () => stack.refresh())).toEqual([ONE]);
});

it("destroys of several Deployments at once read one list, and confirm each by a GET", async () => {
  const platform = await startPlatform();
  const stacks = Array.from({ length: 8 }, (_, number) => new Stack(platform, { name: `agent-${number}` }));
  const host = stacks[0]?.host();
  await Promise.all(stacks.map((stack, number) => stack.up(dockerDeployment({ name: `agent-${number}` }), host)));
  const nextRun = stacks[0]?.host();
  const requests = await requestsOf(platform, () => Promise.all(stacks.map((stack) => stack.destroy(nextRun))));
  const DELETE = "DELETE /v2/deployments/{id}";
  const reads = requests.slice(0, requests.indexOf(DELETE));
  // The first deletion and the read that goes out with it arrive in either order.
  expect([reads[0], reads.length < 4, reads.filter((read) => read === ONE).length < 2]).toEqual([LIST, true, true]);
  const count = (request: string) => requests.filter((one) => one === request).length;
  expect(count(DELETE)).toBe(8);
  // One with the request, one after its response, and one after the server has deleted it.
  expect(count(ONE)).toBeLessThanOrEqual(24);
});

it("each request of a Deployment has the timeout of the setting requestTimeout", async () => {
  const { clock, url } = await startPlatform();
  const timeouts = new Set<number>();
  const deadline = (milliseconds: number) => {
    timeouts.add(milliseconds);
    return clock.deadline(milliseconds);
  };
  const stack = new Stack({ url, clock: { ...clock, deadline } }, { config: { requestTimeout: "90s" } });
  await stack.up(dockerDeployment());
  expect([...timeouts]).toEqual([90_000]);
});
