import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import { describeMissingId, isUnknownPath, parseErrorBody } from "../../../provider/http/error-detail";
import { cpuTimeOf } from "../../support/time/cpu-time";

const words = (body: unknown) => parseErrorBody(body, JSON.stringify(body));

// @covers 2A.HTTPValidationError.detail, 2A.ValidationError.type, 7.422
it.each<[detail: unknown, text: string]>([
  ["A deployment with the name 'a' already exists", "A deployment with the name 'a' already exists"],
  [["name", "secrets"].map((name) => ({ loc: ["body", name], msg: "no" })), "name: no; secrets: no"],
  [["The plan allows 3 deployments", { loc: ["body", "a"], msg: "no" }], "The plan allows 3 deployments; a: no"],
  [[null, 7, {}, { loc: "x", msg: 3 }], Array(4).fill("request: not valid").join("; ")],
])("The detail %j is shown as %j", (detail, text) => expect(words({ detail })).toBe(text));

// @covers 2A.ValidationError.loc, 2A.ValidationError.msg
it("The detail of a validation error names the property as the user wrote it", () => {
  const at = (...loc: (string | number)[]) => words({ detail: [{ loc, msg: "is wrong" }] });
  expect(at("body", "source_config", "resource_spec", "memory_limit_mb")).toBe(
    "sourceConfig.resourceSpec.memoryLimitMb: is wrong",
  );
  expect(at("body", "secrets", 0, "value")).toBe("secrets.0.value: is wrong");
  expect(at("query", "limit")).toBe("limit: is wrong");
  expect(at("body")).toBe("request: is wrong");
  expect(at()).toBe("request: is wrong");
});

// @covers 2A.ValidationError.input
it("The detail never repeats the input", () => {
  forAll(fc.string({ minLength: 12 }), fc.dictionary(fc.string({ minLength: 12 }), fc.string()), (text, ctx) => {
    const detail = [{ loc: ["body", "secrets", 0, "value"], msg: "no", type: "t", input: `<${text}>`, ctx }];
    expect(words({ detail })).toBe("secrets.0.value: no");
  });
});

// @covers 7:assistants
it("The detail of an error of an agent server in JavaScript names each field, and repeats no input", () => {
  const issues = [
    { code: "invalid_type", path: ["config", "recursion_limit"], message: "Expected number", received: "<secret>" },
    { code: "custom", path: [], message: "Invalid input" },
  ];
  expect(words({ success: false, error: { issues, name: "ZodError" } })).toBe(
    "config.recursionLimit: Expected number; request: Invalid input",
  );
});

it("The detail shows an unknown form truncated", () => {
  expect(words({ detail: { code: 7, why: "so" } })).toBe('{ "code": 7, "why": "so" }');
  expect(words({ detail: { code: 7, text: "x y ".repeat(1000) } })).toMatch(
    /^\{ "code": 7, "text": "x y .{250,300}… \(\d+ characters in all\)$/,
  );
});

// @covers 7:proxy
it("The detail of an HTML page is its text without markup", () => {
  const page = "<html><style>h1 { color: red }</style><script>alert(1)</script><h1>Bad\n Gateway</h1><hr>nginx</html>";
  expect(parseErrorBody(undefined, page)).toBe("Bad Gateway nginx");
});

it("The detail of an empty body says so", () => {
  expect(parseErrorBody(undefined, "")).toBe("an empty response");
});

it("The detail is truncated, and extracted in no time from a page of any size", () => {
  const long = "a word ".repeat(100_000);
  const most = 2000 + "… (1000000 characters in all)".length;
  expect(parseErrorBody({ detail: long }, "").length).toBeLessThanOrEqual(most);
  expect(parseErrorBody({ detail: [{ loc: ["body"], msg: long }] }, "").length).toBeLessThanOrEqual(most);
  const time = cpuTimeOf(() => {
    for (const piece of ["<", "<script>", "<style ", "a ", "</script>", "<!--"]) {
      expect(parseErrorBody(undefined, piece.repeat(300_000)).length).toBeLessThanOrEqual(400);
    }
  });
  expect(time).toBeLessThan(3000);
});

it("The detail is cut between words, so that no unrecognizable part of a secret remains", () => {
  const secret = "s3cr3t".repeat(20);
  for (const length of [1900, 1950, 1999, 2000, 2001]) {
    const displayed = words({ detail: `${"x".repeat(length - 1)} ${secret} was refused` });
    expect(displayed.replaceAll(secret, "")).not.toContain("s3cr3t");
  }
  expect(words({ detail: secret.repeat(100) })).toBe("… (12000 characters in all)");
});

it.each([
  [{}, "the response has no ID"],
  [null, "the response has no ID"],
  ["x", "the response has no ID"],
  [{ id: "../x" }, "unexpected response: id: not a valid ID"],
  [{ detail: "full" }, "the response has no ID, and says: full"],
  [{ error: "full" }, "the response has no ID, and says: full"],
  [{ message: "full", error: null }, "the response has no ID, and says: full"],
])("The successful response %j without an ID is described as an error", (json, text) => {
  expect(describeMissingId(json)).toBe(text);
});

it.each([
  ["Not Found", true],
  [" not found ", true],
  ["an empty response", true],
  ["404 page not found", true],
  ["Deployment x not found", false],
  ["not found: x", false],
])("A 404 with %j concerns the route: %p", (detail, isRoute) => expect(isUnknownPath(detail)).toBe(isRoute));

it("The detail of a validation error is limited to 100 items, and a field to 20 keys and 200 characters", () => {
  const loc = ["path", ...Array.from({ length: 30 }, (_, index) => `key_${index}`)];
  expect(words({ detail: [{ loc, msg: "no" }] })).toBe(`${loc.slice(1, 20).join(".").replaceAll("_", "")}: no`);
  expect(words({ detail: [{ loc: ["x".repeat(300)], msg: "no" }] })).toBe(`${"x".repeat(200)}…: no`);
  expect(words({ detail: Array.from({ length: 120 }, () => ({ loc: ["a"], msg: "b" })) }).split("; ")).toHaveLength(
    100,
  );
});

it("The detail is cut at a space, also when the limit is one", () => {
  const text = `${"x".repeat(1000)} ${"y".repeat(999)} z`;
  expect(words({ detail: text })).toBe(`${text.slice(0, 2000)}… (2002 characters in all)`);
  expect(words({ detail: `${text}zzz` })).toContain("y… (2005 characters");
  expect(words({ detail: `${"x".repeat(1000)}   ${"y".repeat(1500)}` })).toBe(
    `${"x".repeat(1000)}… (2503 characters in all)`,
  );
});

it("The detail of a page whose script or style does not end is what precedes it", () => {
  expect(parseErrorBody(undefined, "<p>Bad</p><script>alert(1)")).toBe("Bad");
  expect(parseErrorBody(undefined, "<p>Bad</p><STYLE>a{}</STYLE> Gateway <styled>x</styled>")).toBe("Bad Gateway x");
});
