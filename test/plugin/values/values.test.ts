/** Property maps in the engine's form. */
import { decodeProperties, encodeProperties } from "../../../plugin/values";
import { SECRET_SIGNATURE, SIGNATURE } from "../../../provider/plan/property-values";

/** Go, and with it the engine, rejects a message that is not valid UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

test.each(["a\ud800b", "a\udc00b", "end\ud800", "\ud800"])(
  "A text and a key with half a character (%j) are encoded as valid UTF-8, with a replacement for it",
  (text) => {
    const bytes = encodeProperties({ [text]: { list: [text] } }).serializeBinary();
    expect(utf8.decode(bytes).split(text.toWellFormed())).toHaveLength(3);
  },
);

test("A secret item of a list stays secret alone at its place, and otherwise the whole list is secret", () => {
  const secret = { [SIGNATURE]: SECRET_SIGNATURE, value: "hidden" };
  const { values, secretPaths } = decodeProperties(encodeProperties({ list: [{ a: "b" }, { a: secret }] }));
  const encoded = (list: unknown[]) => encodeProperties({ list }, secretPaths).toJavaScript();
  expect(values).toEqual({ list: [{ a: "b" }, { a: "hidden" }] });
  expect(encoded([{ a: "changed" }, { a: "hidden" }])).toEqual({ list: [{ a: "changed" }, { a: secret }] });
  const moved = [{ a: "hidden" }, { a: "b" }];
  for (const list of [moved, moved.slice(0, 1)])
    expect(encoded(list)).toEqual({ list: { [SIGNATURE]: SECRET_SIGNATURE, value: list } });
});
