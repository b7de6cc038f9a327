/**
 * Injects every failure mode into every request of each operation: one more command always leads to what is declared,
 * nothing exists twice, and nothing is lost.
 */
import { SHARE } from "../../../../support/run/runs";
import { expectClean, isDynamicHost, stateOf } from "../../../../support/stack";
import { ACTED_AFTER_TIMEOUT, failureCases, injectFailure, isSettled, waitForDelayedRequest } from "./failure-modes";
import { type Operation, operations, type Prepared } from "./operations";

const KINDS = { python: /Thread|Assistant|Cron/, javascript: /Thread|Assistant/ };
const { AGENT_SERVER } = globalThis as { AGENT_SERVER?: keyof typeof KINDS };
const tested = Object.entries(operations).filter(([what]) => !AGENT_SERVER || KINDS[AGENT_SERVER].test(what));

const FAILED_CHECK = "check 1 of 1: http /info failed.";

const act = ({ stack, desired }: Prepared): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());

async function expectAsDeclared({ stack, desired, ids, expectContent }: Prepared, isRepeated = false): Promise<void> {
  if (!desired) return expect([stack.state, await ids()]).toEqual([undefined, []]);
  const { id, failed } = stateOf(stack);
  expect([failed, await ids()]).toEqual([false, [id]]);
  await expectContent?.(isRepeated);
  await expectClean(stack, desired);
}

/** The check fails in the run that rolls out: the next one, where the failure came before. */
async function expectFailedCheck(prepared: Prepared, error: unknown): Promise<void> {
  if (!(error instanceof Error)) throw new Error("A run succeeded whose check failed.");
  if (!error.message.includes(FAILED_CHECK)) await expect(act(prepared)).rejects.toThrow(FAILED_CHECK);
}

/** Nothing on a copy shows who requested it: the error or the next run reports it. */
async function expectReportOfCopy({ platform, stack, desired, ids }: Prepared, { message }: Error): Promise<void> {
  const [left] = (await ids()).filter((id) => id !== stack.state?.id);
  if (left === undefined) return;
  expect(message).toMatch(new RegExp(`If a copy appears later|who requested them: ${left}`));
  expect(stack.messages.join()).toContain(`copies of ${desired?.copyFrom}, or of a thread that it replaced`);
  expect(stack.messages.join()).toContain(left);
  const { deploymentId } = desired as { deploymentId: string };
  await platform.call("DELETE", `/agents/${deploymentId}/threads/${left}`);
}

describe.each(tested)("%s", (_what, operation: Operation) => {
  const { requests } = operation;

  // @covers 1A.1, 1A.4, 4A.POST /v2/deployments, 4A.PATCH /v2/deployments/{deployment_id}
  // @covers 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
  it("sends the requests that the tests below inject failures into", async () => {
    const prepared = await operation.prepare();
    if (operation.failing) await expect(act(prepared)).rejects.toThrow(FAILED_CHECK);
    else await act(prepared);
    const sent = prepared.platform.requests();
    const isPoll = (request: string, index: number) => request.startsWith("GET") && request === sent[index - 1];
    // Two that are sent at once arrive in either order.
    const arrived = sent.filter((request, index) => !isPoll(request, index));
    expect(arrived.toSorted()).toEqual(requests.toSorted());
    if (operation.failing) await act(prepared);
    await expectAsDeclared(prepared);
  });

  // `npm test` tries every third one.
  const isTried = (_: unknown, index: number) => SHARE >= 1 || index % 3 === 0;
  const cases = failureCases(requests)
    .filter((one, index) => isTried(one, index) && one.request !== operation.failing)
    .map((one) => [one.index + 1, one.request, one.mode, one.after] as const);
  // @covers 4B.POST /threads:once, 7:threads, 4B.POST /assistants:exists, 4B.PATCH /assistants/{assistant_id}
  // @covers 4B.POST /runs/crons
  it.each(cases)("whose request %i, %s, %s ends as declared after at most one retry", async (...trial) => {
    const [, request, mode, after] = trial;
    const prepared = await operation.prepare();
    const { platform, stack, desired, ids } = prepared;
    await injectFailure(platform, mode, request, after);
    const error = await act(prepared).catch((failure: Error) => failure);
    await waitForDelayedRequest(platform, mode);
    if (operation.failing) await expectFailedCheck(prepared, error);
    else if (isSettled(request, mode)) expect(error).not.toBeInstanceOf(Error);
    expect(platform.emulator.faults.list().filter((fault) => !("export_run" in fault))).toEqual([]);
    if (error instanceof Error && mode === ACTED_AFTER_TIMEOUT && /^POST .*bulk-exports/.test(request)) {
      // The server created it after the last poll: the error of the next run shows both options.
      const [id = ""] = await ids();
      await expect(act(prepared)).rejects.toThrow(`import: "${id}"`);
      if (!isDynamicHost || !desired) return;
      await stack.up(desired, stack.host(), { __import: id });
    } else if (error instanceof Error) await act(prepared);
    if (error instanceof Error && request.endsWith("/copy")) await expectReportOfCopy(prepared, error);
    await expectAsDeclared(prepared, operation.mayRepeat?.(request, mode));
  });

  const writes = requests.filter((request) => /^(?!GET).*\/(threads|assistants)(?!.*search$)/.test(request));
  // @covers 7:threads
  (writes.length > 0 ? it : it.skip).each(writes)(
    "whose %s returns 409 fails, and the next run succeeds",
    async (request) => {
      const prepared = await operation.prepare();
      const [method = "", path = ""] = request.replaceAll("{id}", "*").split(" ");
      await prepared.platform.addFault({ method, path, status: 409, body: { detail: "a run is in flight" } });
      await expect(act(prepared)).rejects.toThrow("409: a run is in flight");
      await act(prepared);
      await expectAsDeclared(prepared);
    },
  );
});
