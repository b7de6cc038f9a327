/** Injects every failure mode into every request of each operation: no thread is created twice, and none is lost. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import { failureCases, injectFailure, waitForDelayedRequest } from "../../../support/failure-modes";
import { type Stack, stateOf } from "../../../support/stack";
import { type AgentPlatform, startAgents, superstep } from "../../../support/threads";

const ADDRESS = "GET /v2/deployments/{id}";
const [OK, POST, ONE] = ["GET /ok", "POST /threads", "/threads/{id}"];
const [READ, SEARCH, COPY] = [`GET ${ONE}`, "POST /threads/search", "POST /threads/{id}/copy"];
const state = { supersteps: [superstep({ messages: [{ role: "user", content: "Hello" }] })] };

interface Operation {
  /** Inputs of a thread that exists before; none when absent. */
  before?: PropertyMap;
  /** Declared inputs; the operation is a destroy when absent. */
  declared?: PropertyMap;
  /** Whether the thread is a copy. */
  copies?: boolean;
  requests: string[];
}

const operations: Record<string, Operation> = {
  "a create": { declared: state, requests: [ADDRESS, OK, READ, POST, SEARCH] },
  "a copy": { declared: {}, copies: true, requests: [ADDRESS, OK, SEARCH, COPY, `PATCH ${ONE}`, SEARCH, SEARCH] },
  "a change": { before: { metadata: { team: "sales" } }, declared: {}, requests: [ADDRESS, READ, `PATCH ${ONE}`] },
  "a destroy": { before: {}, requests: [ADDRESS, READ, "POST /runs/crons/search", `DELETE ${ONE}`] },
};

async function prepare({ before, declared, copies }: Operation) {
  const agents = await startAgents();
  const stack = agents.stack();
  const source = (await agents.callAgentServer("POST", "/threads", { metadata: { team: "the source's" } })).body
    .thread_id;
  if (before) await stack.up(agents.threadInputs(before));
  await agents.emulator.requestLog.clear();
  const desired = declared && agents.threadInputs({ ...declared, ...(copies && { copyFrom: source }) });
  const act = (): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());
  const others = async () =>
    (await agents.threads()).map(({ thread_id }) => thread_id).filter((thread) => thread !== source);
  return { agents, stack, act, desired, others };
}

async function expectAsDeclared(
  agents: AgentPlatform,
  stack: Stack,
  desired: PropertyMap,
  others: () => Promise<string[]>,
): Promise<void> {
  const { id, failed } = stateOf(stack);
  expect(failed).toBe(false);
  expect(await others()).toEqual([id]);
  expect((await agents.getThread(id)).metadata).toMatchObject(desired.metadata as PropertyMap);
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(desired)).toBe("same");
}

describe.each(Object.entries(operations))("%s", (_what, operation) => {
  it("sends the requests that the tests below inject failures into", async () => {
    const { agents, act } = await prepare(operation);
    await act();
    expect(agents.agentRequests()).toEqual(operation.requests);
  });

  const cases = failureCases(operation.requests).map(({ request, mode, after }) => [request, mode, after] as const);
  // @covers 4B.POST /threads:once, 7:threads
  it.each(cases)("whose %s %s ends as declared after at most one retry", async (...trial) => {
    const [request, what, before] = trial;
    const { agents, stack, act, desired, others } = await prepare(operation);
    const path = request === ADDRESS ? request : request.replace(" ", ` ${agents.basePath}`);
    await injectFailure(agents, what, path, before);
    const error = await act().catch((failure: Error) => failure);
    await waitForDelayedRequest(agents, what);
    if (error instanceof Error) await act();
    const [left] = request === COPY ? (await others()).filter((id) => id !== stack.state?.id) : [];
    if (error instanceof Error && left !== undefined) {
      // Nothing on the copy shows who requested it: the error or the next run reports it.
      expect(error.message).toMatch(new RegExp(`If a copy appears later|who requested them: ${left}`));
      expect(stack.messages.join()).toContain(`copies of ${desired?.copyFrom}, or of a thread that it replaced`);
      expect(stack.messages.join()).toContain(left);
      await agents.callAgentServer("DELETE", `/threads/${left}`);
    }
    if (desired) await expectAsDeclared(agents, stack, desired, others);
    else expect([stack.state, await others()]).toEqual([undefined, []]);
  });

  const writes = operation.requests.filter((request) => !/^GET|search$/.test(request));
  // @covers 7:threads
  it.each(writes)("whose %s returns 409 fails with the response, and the next run succeeds", async (request) => {
    const { agents, stack, act, desired, others } = await prepare(operation);
    const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
    const body = { detail: "a run is in flight" };
    await agents.emulator.faults.add({ method, path: agents.basePath + path, status: 409, body });
    expect((await failureOf(act())).message).toContain("409: a run is in flight");
    await act();
    if (desired) await expectAsDeclared(agents, stack, desired, others);
    else expect([stack.state, await others()]).toEqual([undefined, []]);
  });
});
