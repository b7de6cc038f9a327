/** Comments on previews that do not fit into one. */
import fc from "fast-check";
import { formatComment, MAX_BYTES } from "../../../cli/review/comment/comment";
import { hostilePreview } from "../support/hostile-previews";
import { image, reviewed } from "../support/previews";

const size = (text: string) => Buffer.byteLength(text, "utf8");

it("a comment never exceeds its maximum size", () => {
  const many = fc.tuple(fc.array(hostilePreview, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 400 }));
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

const replaced = (index: number) => ({
  ...{ op: "replace", name: `agent-${String(index).padStart(4, "0")}`, before: image("1") },
  ...{ after: { ...image("1"), name: `b${index}` }, differing: { name: "update" } },
});

describe("changes that do not fit", () => {
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
});

it("stacks that do not fit are counted, and each of the others gets a share of the comment", () => {
  const one = reviewed(Array.from({ length: 200 }, (_, index) => replaced(index)));
  const text = formatComment(Array.from({ length: 200 }, (_, index) => ({ ...one, stack: `stack-${index}` })));
  const rendered = text.match(/^### /gm)?.length ?? 0;
  expect(rendered).toBeGreaterThan(50);
  expect(text).toContain(`${200 - rendered} stacks omitted`);
  expect(size(text)).toBeLessThanOrEqual(MAX_BYTES);
});

it("a comment never exceeds its maximum size, with any number of settings and any stack name", () => {
  const flood = Array.from({ length: 20_000 }, (_, index) => `setting${index}`).join(", ");
  expect(reviewed([], [["warning", `Settings are missing: apiKey, ${flood}`]]).missingSettings).toEqual(["apiKey"]);
  const wide = { ...reviewed([{ op: "create", after: image("1") }]), project: "\u{1f600}`".repeat(100) };
  const text = formatComment(Array.from({ length: 200 }, () => wide));
  expect(size(text)).toBeLessThanOrEqual(MAX_BYTES);
  const rendered = text.match(/^### /gm)?.length ?? 0;
  expect(text).toContain(`${200 - rendered} stacks omitted`);
});
