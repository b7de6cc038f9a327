/** What holds for every comment, whatever a preview holds: a fork's program may have written all of it. */
import fc from "fast-check";
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { markerOf, reviewOf } from "../../../cli/review/summary";
import { runs } from "../../support/run/runs";
import { hostilePreview, THE_SECRET } from "../support/hostile-previews";
import { digest, NOW, reviewed } from "../support/previews";

/** What a viewer takes for Markdown, by the rules of CommonMark: the comment without its blocks and spans of code. */
function outsideOfCode(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const [, run = ""] = /^ {0,3}(`{3,})[^`]*$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (run.length >= fence.length && line.trim() === run) fence = undefined;
    } else if (run !== "") fence = run;
    else lines.push(line);
  }
  if (fence !== undefined) throw new Error("A block of code does not end.");
  return lines.join("\n").replace(/(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g, "§");
}

const OWN_TAGS = /<details><summary>[\w ,]+<\/summary>|<\/details>|^<!-- agentgraph-review:[\w./,-]+ -->$/gm;

it("names and values of a program add no Markdown: no HTML, mentions, links, headings or lists", () => {
  fc.assert(
    fc.property(hostilePreview, ([resources, whole]) => {
      const text = outsideOfCode(formatComment([reviewed(resources, whole)]));
      const plain = text
        .replace(OWN_TAGS, "")
        .replace(/\[!(CAUTION|WARNING)\]/g, "")
        .replace(/\*\*/g, "");
      expect(plain).not.toMatch(/[<@[\]|\\`~&*]|https?:|www\.|GH-\d|[^#\s]#/);
      for (const line of plain.split("\n").filter(Boolean)) {
        expect(line).toMatch(/^(### §: |> |- |§|>$|[A-Z\d])|^\w+ §$|^changed secrets in \d+|^… and/);
      }
    }),
    runs(800),
  );
});

it("a comment and its JSON contain no values of secrets", () => {
  fc.assert(
    fc.property(hostilePreview, ([resources, whole]) => {
      const review = reviewed(resources, whole);
      expect(formatComment([review])).not.toContain(THE_SECRET);
      expect(JSON.stringify(review)).not.toContain(THE_SECRET);
    }),
    runs(800),
  );
});

it("a comment begins with a marker that is stable for its stacks in any order, and that no name can end", () => {
  const [a, b] = ["a", "b"].map((stack) => ({ ...reviewOf(readPreview(digest([]), "x"), NOW), stack })) as never[];
  expect(formatComment([a as never])).toMatch(/^<!-- agentgraph-review:shop\/a -->\n\n### `shop\/a`: /);
  expect(formatComment([b as never, a as never])).toMatch(/^<!-- agentgraph-review:shop\/a,shop\/b -->\n/);
  expect(markerOf([{ project: "--><b>", stack: "a b" }])).toBe("<!-- agentgraph-review:--_b_/a_b -->");
});
