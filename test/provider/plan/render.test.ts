/** The line of an impact, and what is read back from it. */
import fc from "fast-check";
import { EFFECTS, type Impact, parseImpacts, renderImpacts } from "../../../provider/plan/render";
import { anyText } from "../../support/arbitraries/any-text";

const word = fc.constantFrom(..."if it is another server 30 past windows REPLACED possibly a-b".split(" "));
const phrase = fc.array(word, { minLength: 2, maxLength: 6 }).map((words) => `since ${words.join(" ")}`);
const text = fc.oneof(
  anyText({ minLength: 1 }),
  fc.string({ minLength: 1 }),
  fc.constantFrom(
    ...["secrets.A", "a, b", "a; in place: b", 'say "x"', "a -> b", "x (y)", "REPLACED: a", "\\", "imageUri"],
    ...["x, its history is lost: y"],
  ),
);
const paths = fc.uniqueArray(text, { maxLength: 4 });

const impact: fc.Arbitrary<Impact> = paths.chain((all) => {
  const some = fc.subarray(all);
  return fc
    .record({
      effect: fc.constantFrom(...EFFECTS),
      certain: fc.boolean(),
      values: some.chain((changed) =>
        fc.tuple(...changed.map((path) => fc.record({ path: fc.constant(path), before: text, after: text }))),
      ),
      reasons: some.chain((explained) =>
        fc.tuple(...explained.map((path) => fc.tuple(fc.constant(path), phrase))).map(Object.fromEntries),
      ),
      loses: fc.option(fc.constantFrom("its history", "its database and threads"), { nil: undefined }),
      note: fc.option(phrase, { nil: undefined }),
    })
    .map(({ effect, certain, values, reasons, loses, note }) => ({
      ...{ effect, certain, paths: all },
      ...(values.length > 0 && { values }),
      ...(Object.keys(reasons).length > 0 && { reasons }),
      ...(loses !== undefined && { loses }),
      ...(note !== undefined && { note }),
    }));
});

it("Every list of impacts survives rendering and parsing", () => {
  fc.assert(
    fc.property(fc.array(impact, { minLength: 1, maxLength: 4 }), (impacts) => {
      expect(parseImpacts(renderImpacts(impacts))).toEqual(impacts);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ...["", "all is well", "name: something", "REPLACEDx", "in placebo: x", "new revision: a b c", "new revision: (x)"],
  ...["warning; in place: x", "new revision: a; in place: (x)", "deleted, and x is lost: y: z ("],
])("A line that was not rendered is not parsed: %s", (line) => expect(parseImpacts(line)).toBeUndefined());

const certain = (effect: Impact["effect"], paths: string[], more: Partial<Impact> = {}): Impact => ({
  ...{ effect, certain: true, paths, ...more },
});
const value = (path: string, before: string, after: string) => ({ values: [{ path, before, after }] });
const upgraded = certain("newRevision", ["imageUri", "secrets.KEY"], value("imageUri", "1.0.0", "1.1.0"));
const moved = certain("replace", ["url"], { loses: "its history", reasons: { url: "if it is another server" } });
const renamed = certain("replace", ["name", "imageUri"], {
  ...{ loses: "its database and threads", note: "requested by the program; twice" },
  ...{ reasons: { name: "if it is another one, or unknown" }, ...value("imageUri", "1.10", "2.0") },
});

it.each<[Impact[], string]>([
  [
    [upgraded, certain("inPlace", ["buildOnPush"])],
    "new revision: imageUri 1.0.0 -> 1.1.0, secrets.KEY; in place: buildOnPush",
  ],
  [[{ ...moved, certain: false }], "possibly REPLACED, its history is lost: url (if it is another server)"],
  [
    [renamed],
    "REPLACED, its database and threads are lost: name (if it is another one, or unknown), imageUri 1.10 -> " +
      "2.0; requested by the program; twice",
  ],
  [[certain("delete", [], { loses: "its history" })], "DELETED, its history is lost"],
  [
    [certain("restart", ["filter"], { note: "2 past windows are exported again" })],
    "restarts the export: filter; 2 past windows are exported again",
  ],
])("%j is rendered as a readable line", (impacts, line) => {
  expect(renderImpacts(impacts)).toBe(line);
  expect(parseImpacts(line)).toEqual(impacts);
});

it("Spaces around a line are ignored, and a text in invalid quotes is kept as it is", () => {
  expect(parseImpacts('  new revision: "\\q" \n')).toEqual([
    { effect: "newRevision", certain: true, paths: ['"\\q"'] },
  ]);
});
