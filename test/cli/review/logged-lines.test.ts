/** The review reads the lines that the provider logged, and no others. */
import { findMatches } from "../../../cli/review/summary";
import { image, messageOf, reviewed } from "../support/previews";

describe("the line that the provider logged", () => {
  const change = { op: "update", before: image("1"), after: image("2") };

  it("is used if it explains the change, since the provider knew every value", () => {
    const diagnostics: [string, string][] = [["info", "new revision: secrets.KEY, imageUri\n"]];
    expect(messageOf({ ...change, diagnostics })).toBe("new revision: secrets.KEY, imageUri");
  });

  it("is ignored if it has another text", () => {
    expect(messageOf({ ...change, diagnostics: [["info", "all is well"]] })).toBe("new revision: imageUri 1 -> 2");
  });
});

describe("a line that a program logged itself", () => {
  it("cannot hide the data loss of a replacement", () => {
    const diagnostics: [string, string][] = [["info", "REPLACED: name"]];
    const replaced = { op: "replace", before: image("1"), after: { ...image("1"), name: "b" }, diagnostics };
    const review = reviewed([replaced]);
    expect(review.changes[0]?.summary).toBe(
      "REPLACED, its database and threads are lost: name agent -> b; keepConversations would move them",
    );
    expect(findMatches([review], ["data-loss"])).toEqual({ "data-loss": ["agent"] });
  });

  it("cannot hide a deletion", () => {
    const diagnostics: [string, string][] = [["info", "in place: name"]];
    expect(messageOf({ op: "delete", before: image("1"), diagnostics })).toBe(
      "DELETED, its database and threads are lost",
    );
  });

  it("cannot hide a new revision", () => {
    const diagnostics: [string, string][] = [["info", "in place: imageUri"]];
    const review = reviewed([{ op: "update", before: image("1"), after: image("2"), diagnostics }]);
    expect(findMatches([review], ["revision"])).toEqual({ revision: ["agent"] });
  });
});
