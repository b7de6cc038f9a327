/** Texts that are cleaned together, as those of a span are. */
import { cleanerOf, cleanMessage } from "../../../provider/text/clean";

const SECRET = "s3cr3t/value+1";

test.each([
  ["plain", SECRET],
  ["URL-encoded", encodeURIComponent(SECRET)],
  ["in base64", Buffer.from(SECRET).toString("base64")],
  ["with an escape sequence in it", `s3cr3t/\u001b[1mvalue+1`],
])("A secret is removed from whichever of several texts has it: %s", (_how, text) => {
  const texts = ["GET", "http://127.0.0.1:80/v2?limit=REDACTED", "100%25 &amp; more", text, ""];
  const clean = cleanerOf(texts, (one) => cleanMessage(one, [SECRET]));
  expect(texts.map(clean)).toEqual([...texts.slice(0, 3), "[secret]", ""]);
});
