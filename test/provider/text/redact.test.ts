/** No form of a secret is left in a text, and other words stay readable. */
import fc from "fast-check";
import { redact } from "../../../provider/text/redact";
import { anyText } from "../../support/arbitraries/any-text";
import { cpuTimeOf } from "../../support/time/cpu-time";

const SECRET = 'p@ss wörd/+"x\\y\n<z>&';
const unicode = (text: string) =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const wrapped = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, "gs"), "$&\n    ");

const HTML: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };

const FORMS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  "URL-encoded": encodeURIComponent,
  "URL-encoded with small digits": (text) => encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase()),
  "URL-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "form-encoded": (text) => new URLSearchParams({ a: text }).toString().slice(2),
  "JSON-escaped": (text) => JSON.stringify(text).slice(1, -1),
  "JSON-escaped twice": (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1),
  "JSON-escaped three times": (text) => JSON.stringify(JSON.stringify(JSON.stringify(text))),
  "JSON-escaped with small and large \\u escapes": unicode,
  "with \\u escapes in HTML's places alone": (text) =>
    JSON.stringify(text).replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  "HTML-escaped": (text) => text.replace(/[<>&"]/g, (char) => HTML[char] ?? char),
  "in references of HTML": (text) => Array.from(text, (char) => `&#${char.codePointAt(0)};`).join(""),
  "in references of HTML with digits of 16": (text) =>
    Array.from(text, (char) => `&#x${char.codePointAt(0)?.toString(16).padStart(7, "0")};`).join(""),
  "in base64": base64,
  "in base64 after one byte": (text) => base64(`a${text}z`),
  "in base64 after two bytes": (text) => base64(`ab${text}z`),
  "in base64 for URLs": (text) => Buffer.from(`user:${text}`).toString("base64url"),
  "in base64, URL-encoded": (text) => encodeURIComponent(base64(text)),
  "in base64 over several lines": (text) => wrapped(base64(`user:${text}`), 20),
  "broken over lines": (text) => wrapped(text, 5),
  "JSON in a URL": (text) => encodeURIComponent(JSON.stringify(text)),
  "a URL in JSON": (text) => JSON.stringify(`https://x/?a=${encodeURIComponent(text)}`),
};

test.each(Object.keys(FORMS))("A secret is redacted %s", (form) => {
  const displayed = FORMS[form]?.(SECRET) ?? "";
  const text = redact(`the key ${displayed} was refused`, [SECRET]);
  expect(text).toMatch(/^the key .*\[secret\]/s);
  expect(text).toMatch(/ was refused$/);
  // What is left around it: quotes, escapes, the user's name.
  expect(text.replace("[secret]", "").length).toBeLessThan("the key  was refused".length + 48);
  for (const part of ["p@ss", "wörd", "w%C3%B6rd", "cEBzcyB"]) expect(text).not.toContain(part);
});

test("A random secret is redacted completely, whatever its form and the text around it", () => {
  const value = fc.stringMatching(/^[A-Za-z0-9]{10,24}$/);
  const forms = fc.constantFrom(...Object.values(FORMS));
  fc.assert(
    fc.property(value, forms, fc.string(), fc.string(), (secret, form, left, right) => {
      const displayed = form(secret);
      const text = redact(`${left} ${displayed} ${right}`, [secret]);
      expect(text).toContain("[secret]");
      expect(text.includes(secret)).toBe(false);
      if (displayed.length > 12 && !`${left}${right}`.includes(displayed)) expect(text.includes(displayed)).toBe(false);
    }),
  );
});

test.each([
  ["the key correct horse… (2000 characters in all)", "the key [secret]… (2000 characters in all)"],
  ['"correct horse ba…"', '"[secret]…"'],
  ["correct%20horse%20bat...", "[secret]..."],
  [`basic ${base64("correct horse battery staple").slice(0, 20)}…`, "basic [secret]…"],
  ["a correct reply…", "a correct reply…"],
  ["corr… correct horse battery.", "corr… correct horse battery."],
])("The beginning of a secret is redacted where a text was truncated: %j", (text, expected) => {
  expect(redact(text, ["correct horse battery staple"])).toBe(expected);
});

test.each([
  ["GET https://user:pa55@host/a?b=c@d", "GET https://[secret]@host/a?b=c@d"],
  ["https://token-1@host", "https://[secret]@host"],
  ["postgres://app:p@ss@db:5432/x", "postgres://app:[secret]@db:5432/x"],
  ["ssh://git@host/team, https://host/@scope/x:y@z", "ssh://git@host/team, https://host/@scope/x:y@z"],
  ["https://a/?page=2&access_token=t-1#x", "https://a/?page=2&access_token=[secret]#x"],
  ["/a?X-Amz-Signature=0f&key=k&monkey=m", "/a?X-Amz-Signature=[secret]&key=[secret]&monkey=m"],
])("The credentials in a URL are redacted without being named: %j", (text, expected) => {
  expect(redact(text, [])).toBe(expected);
  expect(redact(text, ["another-secret"])).toBe(expected);
});

const KEY = "-----BEGIN KEY-----\nfirst line of it\nsecond line of it\n-----END KEY-----";

test.each<[string, string, string[], string]>([
  ["The longest of several secrets", "a=abcdef b=abcdefghi", ["abcdef", "abcdefghi"], "a=[secret] b=[secret]"],
  ["Each line of a multi-line secret", "x first line of it y\nsecond line of it", [KEY], "x [secret] y\n[secret]"],
  ["No line break within a value", "one abcd\nefgh two\nthree", ["abcdefgh"], "one [secret]\n two\nthree"],
  ["Of four or five characters, a whole word", "a=k12X, k12Xy, /k12X/", ["k12X"], "a=[secret], k12Xy, /[secret]/"],
  ["No part of most texts", "exit code 1 of run on", ["1", "on", "", " ", "\n"], "exit code 1 of run on"],
  ["No brace of a JSON secret", "{ ok }", ['{\n  "a": "longer"\n}'], "{ ok }"],
])("%s is redacted: %j", (_what, text, secrets, expected) => expect(redact(text, secrets)).toBe(expected));

test("A text without secrets is returned unchanged", () => {
  fc.assert(fc.property(anyText(), (text) => expect(redact(text, ["a-secret-value"])).toBe(text)));
});

test("A text crafted to have many decodings takes no time", () => {
  const hostile = "%255c\\\\u0025&amp;&#38;+\\u005cu0041 ".repeat(400);
  const secrets = Array.from({ length: 50 }, (_, index) => `secret-value-${index}`);
  expect(cpuTimeOf(() => redact(hostile, secrets))).toBeLessThan(3000);
});
