/** What holds for every comment, whatever a preview holds: a fork's program may have written all of it. */
import fc from "fast-check";
import { formatComment, MAX_BYTES } from "../../../cli/review/comment";
import { readPreview } from "../../../cli/review/preview-json";
import { markerOf, reviewOf } from "../../../cli/review/summary";
import { type Bag, digest, image, NOW, reviewed } from "../support/previews";

const EVIL = [
  ...["@everyone", "@team/all", "#1", "GH-1", "owner/repo#2", "<script>alert(1)</script>", "<img src=x onerror=a>"],
  ...[
    "</details>",
    "<!--",
    "-->",
    "`",
    "``",
    "```",
    "````\n",
    "~~~",
    "\n",
    "\r\n- x",
    "|",
    "[a](https://evil.example)",
  ],
  ...[
    "![a](https://evil.example)",
    "https://evil.example",
    "www.evil.example",
    "**",
    "_",
    "\\",
    "\\`",
    "\u2028",
    "\u202e",
  ],
  ...["\u0000", "&lt;b&gt;", "> [!NOTE]", "# a", "1. a", "; ", ": ", ", ", " ", "word", "secrets.KEY", "\ud800"],
];
const evil = fc
  .array(fc.oneof(fc.constantFrom(...EVIL), fc.string({ unit: "binary" })), { maxLength: 8 })
  .map((all) => all.join(""));
const op = fc.constantFrom(
  "create",
  "update",
  "replace",
  "delete",
  "same",
  "refresh",
  "import",
  "create-replacement",
  "strange",
);
const kind = fc.constantFrom(
  "Deployment",
  "Thread",
  "BulkExport",
  "ScheduledBulkExport",
  "BulkExportDestination",
  "Newer<b>",
);

const THE_SECRET = "the-value-of-a-secret";
const wrapped = (field: Bag) => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ...field });
const secret = fc.constantFrom<unknown>(
  ...[wrapped({ plaintext: JSON.stringify(THE_SECRET) }), wrapped({ ciphertext: THE_SECRET }), "[secret]"],
);
const inputs = fc.record({
  ...{
    name: evil,
    source: fc.constantFrom("external_docker", "githost"),
    sourceRevisionConfig: fc.dictionary(evil, evil),
  },
  // In plain text, as the engine shows them on request.
  secrets: fc.dictionary(evil, fc.oneof(secret, fc.constant(THE_SECRET))),
  ...{ metadata: fc.dictionary(evil, fc.oneof(evil, secret)), config: fc.oneof(evil, secret, fc.constant(null)) },
});
const resource = fc.record({
  ...{ op, kind, name: evil, before: inputs, after: inputs },
  differing: fc.dictionary(
    fc.oneof(evil, fc.constantFrom("secrets.A", "name")),
    fc.constantFrom("add", "delete", "update", "x"),
  ),
  replaceReasons: fc.array(fc.oneof(evil, fc.constantFrom("name", "id"))),
  diagnostics: fc.array(
    fc.tuple(
      fc.constantFrom("info", "warning", "error"),
      fc.oneof(
        evil,
        evil.map((text) => `REPLACED: ${text}`),
      ),
    ),
  ),
});
const other = fc.record({ op, type: evil, name: evil });
const preview = fc.tuple(
  fc.array(fc.oneof(resource, other), { maxLength: 6 }),
  fc.array(fc.tuple(fc.constantFrom("error", "warning"), evil), { maxLength: 3 }),
);

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
    fc.property(preview, ([resources, whole]) => {
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
    { numRuns: 400 },
  );
});

it("a comment and its JSON contain no values of secrets", () => {
  fc.assert(
    fc.property(preview, ([resources, whole]) => {
      const review = reviewed(resources, whole);
      expect(formatComment([review])).not.toContain(THE_SECRET);
      expect(JSON.stringify(review)).not.toContain(THE_SECRET);
    }),
    { numRuns: 300 },
  );
});

const size = (text: string) => Buffer.byteLength(text, "utf8");

it("a comment never exceeds its maximum size", () => {
  const many = fc.tuple(fc.array(preview, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 400 }));
  fc.assert(
    fc.property(many, ([previews, times]) => {
      const reviews = previews.map(([resources, whole]) =>
        reviewed(
          Array.from({ length: times }, (_, index) =>
            resources.map((one) => ({ ...one, name: `${one.name}-${index}-é` })),
          ).flat(),
          whole,
        ),
      );
      expect(size(formatComment(reviews))).toBeLessThanOrEqual(MAX_BYTES);
    }),
    // A smaller number of these contains no more information.
    { numRuns: 12, endOnFailure: true },
  );
});

describe("what does not fit", () => {
  const replaced = (index: number) => ({
    ...{ op: "replace", name: `agent-${String(index).padStart(4, "0")}`, before: image("1") },
    ...{ after: { ...image("1"), name: `b${index}` }, differing: { name: "update" } },
  });

  it("are counted; dangerous changes are kept longest, and details are omitted first", () => {
    const calm = Array.from({ length: 300 }, (_, index) => ({ op: "create", name: `new-${index}`, after: image("1") }));
    const text = formatComment([reviewed([...calm, ...Array.from({ length: 300 }, (_, index) => replaced(index))])]);
    expect(size(text)).toBeLessThanOrEqual(MAX_BYTES);
    expect(text.match(/^> - \*\*Deployment\*\*/gm)).toHaveLength(300);
    expect(text.match(/^- \*\*Deployment\*\*/gm)).toHaveLength(300);
    const rendered = text.match(/^```diff$/gm)?.length ?? 0;
    expect(rendered).toBeGreaterThan(50);
    expect(text).toContain(`… and ${600 - rendered} more\n</details>`);
  });

  it("are counted among thousands of dangerous changes as well", () => {
    const text = formatComment([reviewed(Array.from({ length: 3000 }, (_, index) => replaced(index)))]);
    const rendered = text.match(/^> - \*\*Deployment\*\*/gm)?.length ?? 0;
    expect(rendered).toBeGreaterThan(400);
    expect(text).toContain(`> - … and ${3000 - rendered} more\n`);
    // Whether the frame of the other section still fits depends on a few bytes.
    expect(text).toMatch(/\n(3000 lines omitted: a comment is limited to 60 kB\.|… and 3000 more)\n/);
    expect(size(text)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it("can be stacks: each gets a share of the comment, and the omitted ones are counted", () => {
    const one = reviewed(Array.from({ length: 200 }, (_, index) => replaced(index)));
    const text = formatComment(Array.from({ length: 200 }, (_, index) => ({ ...one, stack: `stack-${index}` })));
    const rendered = text.match(/^### /gm)?.length ?? 0;
    expect(rendered).toBeGreaterThan(50);
    expect(text).toContain(`${200 - rendered} stacks omitted`);
    expect(size(text)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

it("a comment never exceeds its maximum size, however many settings are missing and however long the stack name is", () => {
  const flood = Array.from({ length: 20_000 }, (_, index) => `setting${index}`).join(", ");
  const one = reviewed([], [["warning", `Settings are missing: apiKey, ${flood}`]]);
  expect(one.missingSettings).toEqual(["apiKey"]);
  const wide = { ...reviewed([{ op: "create", after: image("1") }]), project: "\u{1f600}`".repeat(100) };
  const text = formatComment(Array.from({ length: 200 }, () => wide));
  expect(size(text)).toBeLessThanOrEqual(MAX_BYTES);
  const rendered = text.match(/^### /gm)?.length ?? 0;
  expect(text).toContain(`${200 - rendered} stacks omitted`);
});

it("a comment begins with a marker that is stable for its stacks in any order, and that no name can end", () => {
  const [a, b] = ["a", "b"].map((stack) => ({ ...reviewOf(readPreview(digest([]), "x"), NOW), stack })) as never[];
  expect(formatComment([a as never])).toMatch(/^<!-- agentgraph-review:shop\/a -->\n\n### `shop\/a`: /);
  expect(formatComment([b as never, a as never])).toMatch(/^<!-- agentgraph-review:shop\/a,shop\/b -->\n/);
  expect(markerOf([{ project: "--><b>", stack: "a b" }])).toBe("<!-- agentgraph-review:--_b_/a_b -->");
});
