/**
 * What leaves the handlers: the first line of an error, the state that it keeps, and what the engine's host prints of
 * it.
 */
import { withErrorBoundary } from "../../../provider/engine/error-boundary";
import type { Handlers } from "../../../provider/engine/handlers";
import { suppressUserErrors } from "../../../provider/engine/host/environment";
import { OutgoingText } from "../../../provider/engine/host/log";
import { RunState } from "../../../provider/engine/run/run-state";
import { HttpError } from "../../../provider/http/errors";
import type { ResourceData } from "../../../provider/plan/facts";
import { InitError } from "../../../provider/plan/property-values";
import { UserError } from "../../../provider/text/user-error";
import { definitionOf } from "../plan/plans";

const urn = "urn:pulumi:dev::shop::my:c:Fleet$pulumi-nodejs:dynamic/agentgraph:Thread::talk";
const definition = definitionOf("Thread");
const NOTHING = { properties: {}, facts: {} };
const MARKED = { secretInputs: ["metadata.key"] };
const silent = { show: () => {}, flush: async () => {} };

const create = (handlers: Handlers): Promise<unknown> => handlers.create({ properties: {}, facts: { urn } });

/** What a call that throws this ends with. */
async function thrown(error: Error, run = new RunState(), act = create): Promise<Error & { reasons?: string[] }> {
  const fail = (..._given: unknown[]): Promise<never> => Promise.reject(error);
  const calls = ["configure", "check", "diff", "plan", "create", "read", "update", "delete"] as const;
  const inner = Object.fromEntries(calls.map((call) => [call, fail])) as Record<keyof Handlers, typeof fail>;
  const exit = { definition, outgoing: new OutgoingText(silent), run };
  return act(withErrorBoundary(inner, exit)).then(
    () => new Error("nothing was thrown"),
    (reason) => reason,
  );
}

it.each([
  ["the thread is busy\nTry again.", 'Thread "talk": the thread is busy\nTry again.'],
  ['the name "talk" is taken', 'the name "talk" is taken'],
  ['Thread "other": failed', 'Thread "other": failed'],
  ['the thread is busy\nof "talk"', 'Thread "talk": the thread is busy\nof "talk"'],
])("A user error, %j, names its resource in the first line", async (message, named) => {
  expect((await thrown(new UserError(message))).message).toBe(named);
  const failed = await thrown(new InitError("id", NOTHING, message));
  expect(failed).toMatchObject({ id: "id", message: named, reasons: [named] });
});

it.each<[string, (index: number) => ResourceData]>([
  ["both are secret", () => ({ properties: { sensitive: true }, facts: {} })],
  ["only the one before was secret", (index) => ({ properties: { sensitive: index === 0 }, facts: {} })],
  ["only the new one is secret", (index) => ({ properties: { sensitive: index === 1 }, facts: {} })],
  ["the program marked the one before", (index) => ({ properties: {}, facts: index === 0 ? MARKED : {} })],
  ["the program marks the new one", (index) => ({ properties: {}, facts: index === 1 ? MARKED : {} })],
])("An error of an update shows neither of two values where %s", async (_what, dataOf) => {
  const [olds, news] = ["the-old-value", "the-new-value"].map((key, index) => {
    const { properties, facts } = dataOf(index);
    return { properties: { ...properties, metadata: { key } }, facts: { urn, ...facts } };
  }) as unknown as [ResourceData, ResourceData];
  const error = new UserError("refused the-old-value and the-new-value");
  const { message } = await thrown(error, undefined, (handlers) => handlers.update("id", olds, news));
  expect(message).toBe('Thread "talk": refused [secret] and [secret]');
});

it("An HTTP error also names the operation, even after the object exists", async () => {
  const error = new HttpError({ method: "GET", path: "/x", status: 500, detail: 'of "talk"' });
  const named = 'Thread "talk": create failed: GET /x: 500: of "talk"';
  expect((await thrown(error)).message).toBe(named);
  expect(await thrown(new InitError("id", NOTHING, error.message, error))).toMatchObject({ reasons: [named] });
});

it("An HTTP error whose cause another one explains still shows its own request ID and attempts", async () => {
  const details = { method: "GET", path: "/x", status: 401, detail: "old", hint: "Create one.", sharedCause: "401" };
  const error = new HttpError({ ...details, requestId: "r-2", attempts: 2 });
  const run = new RunState();
  run.reportedBy("401", 'Thread "first"');
  expect((await thrown(error, run)).message).toBe(
    'Thread "talk": create failed: GET /x: 401: old (details: Thread "first")\n  request ID  r-2\n  ' +
      "attempts    2 in 0.0 s",
  );
});

it("An unexpected error keeps its message and its stack", async () => {
  const error = await thrown(new TypeError("x is undefined"));
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe("x is undefined");
  expect(error.stack).toContain("error-boundary.test.ts");
});

it("A settings error shared by several calls names the resource of each", async () => {
  const error = new UserError("wrong");
  await thrown(error);
  expect((await thrown(error)).message).toBe('Thread "talk": wrong');
  expect(error.message).toBe("wrong");
});

it("The host suppresses errors that are shown under their resource, and nothing else", async () => {
  const printed: unknown[][] = [];
  const console = { error: (...values: unknown[]) => void printed.push(values) };
  suppressUserErrors(console);
  const [userError, unforeseen] = [await thrown(new UserError("wrong")), await thrown(new TypeError("x"))];
  console.error(`${userError}: ${userError.stack}`);
  console.error(`${unforeseen}: ${unforeseen.stack}`);
  console.error("of a program", userError);
  expect(printed).toEqual([[expect.stringContaining("TypeError: x")], ["of a program", userError]]);
});
