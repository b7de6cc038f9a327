import { LineReader, Redactor } from "../../../src/runtime/agents/output";

/** Returns the lines of an output that arrives in these parts. */
function linesOf(parts: readonly string[], secrets: readonly string[] = []): string[] {
  const lines: string[] = [];
  const reader = new LineReader(new Redactor(secrets), (line) => lines.push(line));
  for (const part of parts) reader.write(part);
  reader.end();
  return lines;
}

describe("the output of an agent", () => {
  it("is split into lines wherever its parts end, without the colors of a terminal", () => {
    const parts = ["one\r\ntw", "o\n\u001b[3", "2m\u001b[1minfo\u001b[0m: three\n\nfour"];
    expect(linesOf(parts)).toEqual(["one", "two", "info: three", "", "four"]);
  });

  it("has no secret of several lines, or as JSON", () => {
    expect(linesOf(["first\nsecond\n"], ["first\nsecond"])).toEqual(["**********", "**********"]);
    expect(linesOf(['{"k":"a\\"bcd"}\n'], ['a"bcd'])).toEqual(['{"k":"**********"}']);
  });

  it("shows no secret at the end of a line of 8192 characters", () => {
    for (let length = 8180; length < 8200; length++) {
      const lines = linesOf(["x".repeat(length), "se-", `cret${"y".repeat(9000)}`], ["se-cret"]);
      expect(lines.join("")).not.toMatch(/se-|cret/);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8192);
    }
  });

  it("has no secret, also one that a part ends in, that has colors in it, or that a long line splits", () => {
    const secret = "a-secret-value";
    const color = "a-\u001b[31msecret\u001b[0m-value";
    const long = `${"x".repeat(8190)}${secret}${"y".repeat(9000)}`;
    const parts = ["key a-sec", "ret-value\n", `${color}\n`, long.slice(0, 8196), long.slice(8196)];
    const lines = linesOf(parts, [secret]);
    expect(lines.slice(0, 2)).toEqual(["key **********", "**********"]);
    expect(lines.join("")).not.toMatch(/secret|value/);
    expect(lines.slice(2).join("").replaceAll(/[^xy]/g, "")).toHaveLength(17_190);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8192);
  });
});
