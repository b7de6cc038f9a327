/** Injects every failure mode into every request of each operation: one cron, which fires once at each time. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { cronsOf } from "../../../support/crons";
import { failureCases, injectFailure, waitForDelayedRequest } from "../../../support/failure-modes";
import { stateOf } from "../../../support/stack";
import { startAgents } from "../../../support/threads";

const ADDRESS = "GET /v2/deployments/{id}";
const [ONE, SEARCH] = ["/runs/crons/{id}", "POST /runs/crons/search"];

interface Operation {
  /** Inputs of a cron that exists before; none when absent. */
  before?: PropertyMap;
  /** Declared inputs; the operation is a destroy when absent. */
  declared?: PropertyMap;
  requests: string[];
}

const operations: Record<string, Operation> = {
  // The marker contains the ID, which the server assigns.
  "a create": {
    declared: {},
    requests: [ADDRESS, "GET /ok", SEARCH, "POST /runs/crons", `PATCH ${ONE}`, SEARCH],
  },
  "a change": {
    ...{ before: { metadata: { team: "sales" } }, declared: { schedule: "30 4 * * *", timezone: "Europe/Berlin" } },
    requests: [ADDRESS, `GET ${ONE}`, `PATCH ${ONE}`],
  },
  "a destroy": { before: {}, requests: [ADDRESS, `GET ${ONE}`, `DELETE ${ONE}`, SEARCH] },
};

async function prepare({ before, declared }: Operation) {
  const agents = await startAgents();
  const crons = cronsOf(agents);
  const stack = crons.stack();
  if (before) await stack.up(crons.inputs(before));
  await agents.emulator.requestLog.clear();
  const desired = declared && crons.inputs(declared);
  const act = (): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());
  return { agents, crons, stack, act, desired };
}

describe.each(Object.entries(operations))("%s", (_what, operation) => {
  it("sends the requests that the tests below inject failures into", async () => {
    const { agents, act } = await prepare(operation);
    await act();
    expect(agents.agentRequests()).toEqual(operation.requests);
  });

  const cases = failureCases(operation.requests).map(({ request, mode, after }) => [request, mode, after] as const);
  // @covers 4B.POST /runs/crons
  it.each(cases)("whose %s %s ends as declared after at most one retry", async (request, what, after) => {
    const { agents, crons, stack, act, desired } = await prepare(operation);
    const path = request === ADDRESS ? request : request.replace(" ", ` ${agents.basePath}`);
    await injectFailure(agents, what, path, after);
    const error = await act().catch((failure: Error) => failure);
    await waitForDelayedRequest(agents, what);
    if (error instanceof Error) await act();
    const list = await crons.list();
    if (!desired) return expect([stack.state, list]).toEqual([undefined, []]);
    const { id, failed } = stateOf(stack);
    const { schedule, timezone = null } = desired;
    expect([failed, list]).toMatchObject([false, [{ cron_id: id, schedule, timezone, enabled: true }]]);
    expect(list).toHaveLength(1);
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up(desired)).toBe("same");
  });
});
