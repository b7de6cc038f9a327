/** Injects every failure mode into every request of each operation: one object, and one version for each change. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { type AssistantPlatform, startAssistants } from "../../../support/assistants";
import { failureOf } from "../../../support/errors";
import { failureCases, injectFailure, waitForDelayedRequest } from "../../../support/failure-modes";
import { type Stack, stateOf } from "../../../support/stack";

const ADDRESS = "GET /v2/deployments/{id}";
const [POST, ONE] = ["POST /assistants", "/assistants/{id}"];
const SCHEMAS = `GET ${ONE}/schemas`;

interface Operation {
  /** Inputs of an assistant that exists before; none when absent. */
  before?: PropertyMap;
  /** Declared inputs; the operation is a destroy when absent. */
  declared?: PropertyMap;
  /** The version afterwards. */
  version?: number;
  requests: string[];
}

const operations: Record<string, Operation> = {
  "a create": {
    ...{ declared: {}, version: 1 },
    requests: [ADDRESS, "GET /ok", `GET ${ONE}`, POST, SCHEMAS, "POST /assistants/search"],
  },
  "a change": {
    before: { metadata: { team: "sales" } },
    declared: { context: { prefix: "# " } },
    version: 2,
    requests: [ADDRESS, `GET ${ONE}`, `PATCH ${ONE}`, SCHEMAS],
  },
  "a destroy": {
    before: {},
    requests: [ADDRESS, `GET ${ONE}`, "GET /info", "POST /runs/crons/search", `DELETE ${ONE}`],
  },
};

async function prepare({ before, declared }: Operation) {
  const agents = await startAssistants();
  const stack = agents.assistantStack();
  const defaults = await agents.defaults();
  if (before) await stack.up(agents.assistantInputs(before));
  await agents.emulator.requestLog.clear();
  const desired = declared && agents.assistantInputs(declared);
  const act = (): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());
  return { agents, stack, act, desired, defaults };
}

async function expectAsDeclared(
  agents: AssistantPlatform,
  stack: Stack,
  { desired, version }: { desired: PropertyMap; version: number | undefined },
): Promise<void> {
  const { id, failed } = stateOf(stack);
  expect(failed).toBe(false);
  expect(await agents.assistants()).toMatchObject([{ assistant_id: id, context: desired.context, version }]);
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(desired)).toBe("same");
}

describe.each(Object.entries(operations))("%s of an Assistant", (_what, operation) => {
  const { requests, version } = operation;

  it("sends the requests that the tests below inject failures into", async () => {
    const { agents, act } = await prepare(operation);
    await act();
    expect(agents.agentRequests()).toEqual(requests);
  });

  const cases = failureCases(requests).map(({ request, mode, after }) => [request, mode, after] as const);
  // @covers 4B.POST /assistants:exists, 4B.PATCH /assistants/{assistant_id}
  it.each(cases)("whose %s %s ends as declared after at most one retry", async (request, what, before) => {
    const { agents, stack, act, desired, defaults } = await prepare(operation);
    const path = request === ADDRESS ? request : request.replace(" ", ` ${agents.basePath}`);
    await injectFailure(agents, what, path, before);
    const error = await act().catch((failure: Error) => failure);
    await waitForDelayedRequest(agents, what);
    if (error instanceof Error) await act();
    if (desired) await expectAsDeclared(agents, stack, { desired, version });
    else expect([stack.state, await agents.assistants()]).toEqual([undefined, []]);
    expect(await agents.defaults()).toEqual(defaults);
  });

  const writes = requests.filter((request) => !/^GET|search$/.test(request));
  it.each(writes)("whose %s returns 409 fails with the response, and the next run succeeds", async (request) => {
    const { agents, stack, act, desired } = await prepare(operation);
    const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
    const body = { detail: "not now" };
    await agents.emulator.faults.add({ method, path: agents.basePath + path, status: 409, body });
    expect((await failureOf(act())).message).toContain("409: not now");
    await act();
    if (desired) await expectAsDeclared(agents, stack, { desired, version });
    else expect([stack.state, await agents.assistants()]).toEqual([undefined, []]);
  });
});
