import { REDACTED, redactSecrets } from "../../../src/runtime/validation/redact";

test.each<[string, unknown, unknown]>([
  [
    "a list of secrets, except for their names",
    { secrets: [{ name: "A", value: "1" }] },
    { secrets: [{ name: "A", value: REDACTED }] },
  ],
  [
    "credentials",
    { credentials: { access_key_id: "a", name: "n" } },
    { credentials: { access_key_id: REDACTED, name: "n" } },
  ],
  ["a secret of another type", { secrets: 5, credentials: "x" }, { secrets: REDACTED, credentials: REDACTED }],
  ["elements of secrets that are not objects", { secrets: ["x", null] }, { secrets: [REDACTED, null] }],
  ["secrets in a list", [{ secrets: "x" }, { other: "x" }], [{ secrets: REDACTED }, { other: "x" }]],
  ["secrets in an object", { a: { b: [{ credentials: "x" }] } }, { a: { b: [{ credentials: REDACTED }] } }],
  ["no missing secrets", { secrets: null, other: [1, "x", null] }, { secrets: null, other: [1, "x", null] }],
])("the log redacts %s", (_, body, expected) => expect(redactSecrets(body)).toEqual(expected));
