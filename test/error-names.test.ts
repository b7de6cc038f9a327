/** The first line of an error, and what the engine's host prints of it. */
import { InitError } from "../provider/engine-values";
import { naming } from "../provider/error-names";
import { silenceShownErrors } from "../provider/host-console";
import { PlainError } from "../provider/http/errors";

const __urn = "urn:pulumi:dev::shop::my:c:Fleet$pulumi-nodejs:dynamic/agentgraph:Thread::talk";
const thrown = (error: Error) =>
  naming("Thread", { __urn }, () => Promise.reject(error)).then(
    () => undefined,
    (reason: Error) => reason,
  );

it.each([
  ["GET /x: 500\nTry again.", 'Thread "talk": GET /x: 500\nTry again.'],
  ['the name "talk" is taken', 'the name "talk" is taken'],
  ['Thread "other": failed', 'Thread "other": failed'],
  ['GET /x: 500\nof "talk"', 'Thread "talk": GET /x: 500\nof "talk"'],
])("an error for people, %j, names its resource in the first line", async (message, named) => {
  expect((await thrown(new PlainError(message)))?.message).toBe(named);
  expect(await thrown(new InitError("id", {}, message))).toMatchObject({ message: named, reasons: [named] });
});

it("an error that nobody foresaw stays as it is", async () => {
  expect((await thrown(new TypeError("x is undefined")))?.message).toBe("x is undefined");
});

it("the host prints no error that is shown under its resource, and everything else", () => {
  const printed: unknown[][] = [];
  const console = { error: (...values: unknown[]) => void printed.push(values) };
  silenceShownErrors(console);
  const [shown, unforeseen] = [new PlainError("wrong"), new TypeError("x")];
  console.error(`${shown}: ${shown.stack}`);
  console.error(`${unforeseen}: ${unforeseen.stack}`);
  console.error("of a program", shown);
  expect(printed).toEqual([[expect.stringContaining("TypeError: x")], ["of a program", shown]]);
});
