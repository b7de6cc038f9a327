/** Values that do not reach a server as they are, in a program or inside Outputs, which are known later. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { toSupportedInputs } from "../../../dist/sdk/nodejs/shared/map-keys";

/** Each expression with what is wrong with its value. */
const LOST: [expression: string, reason: string][] = [
  ["new Date(0)", "is a Date, which JSON cannot contain; use its toISOString()."],
  ['new Map([["a", 1]])', "is a Map, which JSON cannot contain; use Object.fromEntries(…)."],
  ["new Set([1])", "is a Set, which JSON cannot contain; use [...set]."],
  ['new URL("https://a.example")', "is a URL, which JSON cannot contain; use its href."],
  ['new TypeError("x")', "is an Error, which JSON cannot contain; use its message."],
  ["/x/", "is a RegExp, which JSON cannot contain; use its source."],
  ["10n", "is a BigInt, which JSON cannot contain; use a text."],
  ['Symbol("x")', "is a symbol, which JSON cannot contain; use a text."],
  ["NaN", "is NaN, which JSON cannot contain."],
  ["-Infinity", "is -Infinity, which JSON cannot contain."],
  ["() => 1", "is a function, which JSON cannot contain; use its result."],
  ['new String("x")', "is a String, which JSON cannot contain; use its toString()."],
  ["new (class Own {})()", "is an object of the class Own, which JSON cannot contain; use an object with its values."],
];

/** Each way to declare a value, now or later. */
const WAYS = [
  ...["value", "pulumi.output(1).apply(() => value)", "Promise.resolve(value)", "pulumi.secret(1).apply(() => value)"],
  ...["pulumi.output(1).apply(() => Promise.resolve(value))", "Promise.resolve(pulumi.output(1).apply(() => value))"],
];

/** Returns the errors with which a program ends: it has no other way to see that an Output fails. */
function errorsOf(expressions: readonly string[]): string[] {
  const root = join(__dirname, "../../..");
  const script = `
    const pulumi = require("@pulumi/pulumi");
    const { toSupportedInputs } = require("${root}/dist/sdk/nodejs/shared/map-keys");
    const errors = new Set();
    process.on("unhandledRejection", ({ message }) => errors.add(message));
    [${expressions.map((expression) => `() => (${expression})`)}].forEach((make, index) => {
      try {
        pulumi.output(toSupportedInputs("Thread " + index, { metadata: { deep: [{ value: make() }] } }).metadata);
      } catch ({ message }) {
        errors.add(message);
      }
    });
    process.on("exit", () => console.log(JSON.stringify([...errors])));`;
  return JSON.parse(execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" }));
}

it("A value that JSON cannot contain is an error that names its path, also in an Output or a promise", () => {
  const cases = WAYS.flatMap((way) =>
    LOST.map(([value, reason]) => [`((value) => ${way})(${value})`, `metadata.deep.0.value ${reason}`] as const),
  );
  const lists = WAYS.flatMap((way) =>
    ["[1, undefined]", "[1, , 2]"].map((value) => [
      `((value) => ${way})(${value})`,
      "metadata.deep.0.value.1 is undefined, which an array of JSON cannot contain; leave the item out, or use null.",
    ]),
  );
  const all = [...cases, ...lists];
  const expected = all.map(([, error], index) => `Thread ${index}: ${error}`);
  expect(errorsOf(all.map(([expression = ""]) => expression)).sort()).toEqual(expected.sort());
});

it("A value that JSON contains stays as it is, and so does a secret", async () => {
  const resolve = (metadata: unknown) =>
    (pulumi.output(toSupportedInputs("", { metadata }).metadata) as never as { promise(): Promise<unknown> }).promise();
  const value = { a: [1, null, { b: "x" }], of: Object.assign(new (class Model {})(), { name: "small" }) };
  expect(await resolve({ deep: pulumi.output(1).apply(() => value) })).toEqual({ deep: value });
  expect(await resolve(Promise.resolve(value))).toEqual(value);
  const secret = toSupportedInputs("", { metadata: pulumi.secret({ key: "x" }) }).metadata as pulumi.Output<unknown>;
  expect(await pulumi.isSecret(secret)).toBe(true);
  const plain = { a: [1, { b: "x" }] };
  expect(toSupportedInputs("", { metadata: plain }).metadata).toBe(plain);
});
