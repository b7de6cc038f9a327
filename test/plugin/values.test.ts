/** Property maps in the engine's form. */
import { encodeProperties } from "../../plugin/values";

/** Go, and with it the engine, rejects a message that is not valid UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

test.each(["a\ud800b", "a\udc00b", "end\ud800", "\ud800"])(
  "A text and a key with half a character (%j) are encoded as valid UTF-8, with a replacement for it",
  (text) => {
    const bytes = encodeProperties({ [text]: { list: [text] } }).serializeBinary();
    expect(utf8.decode(bytes).split(text.toWellFormed())).toHaveLength(3);
  },
);
