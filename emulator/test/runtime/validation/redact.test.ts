import { REDACTED, redactQuery, redactSecrets } from "../../../src/runtime/validation/redact";

test.each<[string, unknown, unknown]>([
  [
    "secrets, except for their names",
    { secrets: [{ name: "A", value: "1" }] },
    { secrets: [{ name: "A", value: REDACTED }] },
  ],
  ["credentials", { credentials: { key: "a", name: "n" } }, { credentials: { key: REDACTED, name: REDACTED } }],
  ["a secret of another type", { secrets: 5, credentials: "x" }, { secrets: REDACTED, credentials: REDACTED }],
  ["elements of secrets that are not objects", { secrets: ["x", null] }, { secrets: [REDACTED, null] }],
  ["secrets in a list", [{ secrets: "x" }, { other: "x" }], [{ secrets: REDACTED }, { other: "x" }]],
  ["secrets in an object", { a: { b: [{ credentials: "x" }] } }, { a: { b: [{ credentials: REDACTED }] } }],
  ["objects and lists", { Secrets: { A: { b: 1 } }, pwd: [1] }, { Secrets: { A: REDACTED }, pwd: [REDACTED] }],
  ["no missing secrets", { secrets: null, other: [1, "x", null] }, { secrets: null, other: [1, "x", null] }],
])("the log redacts %s", (_, body, expected) => expect(redactSecrets(body)).toEqual(expected));

const SPELLINGS: ((words: readonly string[]) => string)[] = [
  (words) => words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(""),
  ...["", "_", "-", " ", "."].map((separator) => (words: readonly string[]) => words.join(separator)),
  ...["_", "-"].map((separator) => (words: readonly string[]) => words.join(separator).toUpperCase()),
];

test.each([
  ...["private key", "private key pem", "secret access key", "access key", "x api key", "api keys", "signing key"],
  ...["encryption key", "sse customer key", "account key", "secret", "client secret", "credential", "x amz credential"],
  ...["token", "refresh token", "x amz security token", "db password", "passwd", "pwd", "passphrase", "signature"],
  ...["authorization", "proxy authorization", "cookie", "set cookie", "bearer", "jwt", "connection string"],
])("the log redacts a field that is called %s, in all spellings", (name) => {
  const keys = SPELLINGS.map((spell) => spell(name.split(" ")));
  const [sent, shown] = ["a", REDACTED].map((value) => Object.fromEntries(keys.map((key) => [key, value])));
  expect([redactSecrets(sent), redactSecrets({ other: [sent] })]).toEqual([shown, { other: [shown] }]);
});

test.each([
  ...["access key ID", "image pull secrets", "secret name", "secret key", "secret references", "max tokens"],
  ...["next page token", "continuation token", "next token", "tokenizer", "key", "public key", "cookbook", "author"],
])("the log shows a field that is called %s, in all spellings", (name) => {
  const sent = Object.fromEntries(SPELLINGS.map((spell) => [spell(name.split(" ")), "a"]));
  expect(redactSecrets(sent)).toEqual(sent);
});

test("the log redacts credentials in a query, in any spelling", () => {
  const query = { token: ["a", "b"], "X-Api-Key": ["a"], signature: ["a"], limit: ["10"], name_contains: ["token"] };
  expect(redactQuery(query)).toEqual({
    ...{ token: [REDACTED, REDACTED], "X-Api-Key": [REDACTED], signature: [REDACTED] },
    ...{ limit: ["10"], name_contains: ["token"] },
  });
});
