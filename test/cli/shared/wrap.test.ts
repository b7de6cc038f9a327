import fc from "fast-check";
import { columnsOf, wrapLine, wrapText } from "../../../cli/shared/text/wrap";
import { forAll } from "../../../emulator/test/support/for-all";

it("text wraps between words, and a command in backticks stays on one line", () => {
  expect(wrapLine("Run `pulumi config set --secret agentgraph:apiKey <key>` to set it.", 30)).toEqual([
    "Run",
    "`pulumi config set --secret agentgraph:apiKey <key>`",
    "to set it.",
  ]);
});

it("further lines of a paragraph are aligned with its text, behind a list marker", () => {
  expect(wrapText("Skipped:\n  - one two three\n  10. four five six\n\nend", 14)).toBe(
    "Skipped:\n  - one two\n    three\n  10. four\n      five six\n\nend",
  );
});

it("wrapped text has the same words, and a line exceeds the width only with a single word", () => {
  const word = fc.stringMatching(/^[a-z.:/]{1,30}$/);
  forAll(fc.array(word), fc.integer({ min: 10, max: 60 }), (words, width) => {
    const lines = wrapLine(words.join(" "), width);
    expect(lines.join(" ")).toBe(words.join(" "));
    for (const line of lines) expect(line.length <= width || !line.includes(" ")).toBe(true);
  });
});

it.each([
  [{ columns: 120 }, 120],
  [{}, 80],
  [{ columns: 0 }, 80],
  [{ columns: 12 }, 40],
])("the output %j has %i columns", (stream, columns) => {
  expect(columnsOf(stream)).toBe(columns);
});
