/** JSON texts that no API returns: of another type, at the limits of a type, very long or very deep. */
import fc from "fast-check";

const WRONG_TYPES = ["null", "true", "false", "0", "-1", "1.5", '""', '"text"', "[]", "{}", "[null]", "[[]]", "[{}]"];
/** `1e999` is Infinity for JSON.parse, which JSON.stringify turns into null. */
const NUMBERS = ["1e999", "-1e999", "1e308", "-0", "9007199254740993", "5e-324"];
const TEXTS = [
  ...['" "', '"."', '".."', '"a/../b"', '"a?b#c"', '"%2e%2e"', '"\\ud800"', '"\\u0000"', '"a\\r\\n::error::b"'],
  ...['"__proto__"', '"constructor"', '"PULUMI_RESOURCE"', '"NaN"', '"2026-13-45T99:99:99Z"', '"+275760-09-13"'],
  ...['"http://"', '"https://["', '"file:///etc/passwd"', '"http://127.0.0.1:1/a"', '"http://169.254.169.254/"'],
];
const OBJECTS = [
  ...['{"__proto__":{"id":"x"}}', '{"constructor":null}', '{"toString":1,"valueOf":1}', '{"then":1}', '{"length":-1}'],
  ...['{"detail":[{"loc":{},"msg":[]}]}', '{"name":null,"value":{}}', '[{"name":[],"value":1}]', '{"":null}'],
  '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":{}}',
];

const nested = (open: string, close: string) => (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
const levels = fc.constantFrom(200, 5_000, 100_000);
const deep = fc.oneof(levels.map(nested("[", "]")), levels.map(nested('{"a":', "}")));
const huge = fc.constantFrom(
  JSON.stringify("x".repeat(1_000_000)),
  JSON.stringify("\u0000".repeat(100_000)),
  JSON.stringify(Array(100_000).fill(null)),
  JSON.stringify(Array(20_000).fill({ id: "x", name: "x" })),
  JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, index]))),
);

/** The text of a value, or undefined for a field that is missing. */
export const hostileJson: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 12, arbitrary: fc.constantFrom(...WRONG_TYPES) },
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 6, arbitrary: fc.constantFrom(...OBJECTS) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: huge },
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
);
