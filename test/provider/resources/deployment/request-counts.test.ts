/** How many requests each operation costs, counted by the service's own journal. */
import { dockerDeployment, withImage } from "../../../support/deployments";
import { type Platform, startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

const LIST = "GET /v2/deployments";
const ONE = "GET /v2/deployments/{id}";
const REVISION = "GET /v2/deployments/{id}/revisions/{id}";

/** The requests of one operation, looks at a revision counted as one. */
async function requestsOf(platform: Platform, act: () => Promise<unknown>): Promise<string[]> {
  await platform.emulator.journal.clear();
  await act();
  return platform.requests().filter((request, index, all) => request !== REVISION || all[index - 1] !== REVISION);
}

async function deployed(): Promise<{ platform: Platform; stack: Stack }> {
  const platform = await startPlatform();
  const stack = new Stack(platform);
  await stack.up(dockerDeployment());
  return { platform, stack };
}

// @covers 1A.1, 4A.POST /v2/deployments, 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
it("a create looks the name up, creates, and looks at the revision until it serves", async () => {
  const platform = await startPlatform();
  const requests = await requestsOf(platform, () => new Stack(platform).up(dockerDeployment()));
  expect(requests).toEqual([LIST, "POST /v2/deployments", REVISION, ONE]);
});

it("in a workspace that holds others, a create reads their list to its end, which is an empty page, once per run", async () => {
  const platform = await startPlatform();
  await platform.emulator.seed({ deployments: Array.from({ length: 60 }, (_, n) => ({ name: `other-${n}` })) });
  const stack = new Stack(platform);
  const requests = await requestsOf(platform, () => stack.up(dockerDeployment()));
  expect(requests).toEqual([LIST, LIST, "POST /v2/deployments", REVISION, ONE]);
  const host = stack.host();
  const both = () =>
    Promise.all(["one", "two"].map((name) => stack.fork({ name }).up(dockerDeployment({ name }), host)));
  const shared = await requestsOf(platform, both);
  expect(shared.filter((request) => request === LIST)).toHaveLength(2);
});

// @covers 1A.3, 6:unsaid
it("a rollout of three seconds is looked at about twice a second", async () => {
  const platform = await startPlatform();
  await new Stack(platform).up(dockerDeployment());
  const looks = platform.requests().filter((request) => request === REVISION).length;
  expect(looks).toBeGreaterThan(4);
  expect(looks).toBeLessThan(10);
});

it("an up without a change costs nothing", async () => {
  const { platform, stack } = await deployed();
  expect(await requestsOf(platform, () => stack.up(dockerDeployment()))).toEqual([]);
});

// @covers 1A.4, 4A.PATCH /v2/deployments/{deployment_id}
it("an update looks first, sends one change, and waits", async () => {
  const { platform, stack } = await deployed();
  const requests = await requestsOf(platform, () => stack.up(dockerDeployment(withImage("2"))));
  expect(requests).toEqual([ONE, "PATCH /v2/deployments/{id}", REVISION, ONE]);
});

// @covers 1A.2, 4A.GET /v2/deployments/{deployment_id}
it("a refresh of one costs one look", async () => {
  const { platform, stack } = await deployed();
  expect(await requestsOf(platform, () => stack.refresh())).toEqual([ONE]);
});

it("a destroy looks first, deletes, and looks until it is gone", async () => {
  const { platform, stack } = await deployed();
  const requests = await requestsOf(platform, () => stack.destroy());
  expect(requests.slice(0, 2)).toEqual([ONE, "DELETE /v2/deployments/{id}"]);
  expect(new Set(requests.slice(2))).toEqual(new Set([ONE]));
});

it("each may take as long as requestTimeout says", async () => {
  const { clock, url } = await startPlatform();
  const given = new Set<number>();
  const deadline = (milliseconds: number) => {
    given.add(milliseconds);
    return clock.deadline(milliseconds);
  };
  const stack = new Stack({ url, clock: { ...clock, deadline } }, { config: { requestTimeout: "90s" } });
  await stack.up(dockerDeployment());
  expect([...given]).toEqual([90_000]);
});
