import { printable, printableJson, printableLines, printableValue } from "../../../src/runtime/text/printable";

describe("printed text", () => {
  it.each([
    ["\u001b]0;title\u0007\u001b[2J", "\\u001b]0;title\\u0007\\u001b[2J"],
    ["\u009b31m\u007f\u0000", "\\u009b31m\\u007f\\u0000"],
    ["a\u202egpj.exe\u2066\u200e\u061c\ufeff\u200b", "a\\u202egpj.exe\\u2066\\u200e\\u061c\\ufeff\\u200b"],
    ["one\ntwo\r\u2028three\u0085", "one\\ntwo\\r\\u2028three\\u0085"],
    ["\ud800 \u{e0041}", "\\ud800 \\udb40\\udc41"],
    ["ä漢 👩\u200d💻\tb", "ä漢 👩\u200d💻\tb"],
  ])("cannot control a terminal, change its order or forge a line: %j", (text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printableValue({ [text]: [text, 1, null] })).toEqual({ [shown]: [shown, 1, null] });
    expect(JSON.parse(printableJson({ text }))).toEqual({ text });
    expect(printableJson({ text }, 2)).not.toMatch(/[^\P{Cc}\n\t]|[\u202e\u2066]/u);
  });

  it("keeps its own line breaks", () => {
    expect(printableLines("a\n\u001bb")).toBe("a\n\\u001bb");
  });
});
