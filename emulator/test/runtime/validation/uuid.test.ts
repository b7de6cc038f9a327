import fc from "fast-check";
import { parseUuid } from "../../../src/runtime/validation/uuid";
import { forAll } from "../../support/for-all";

test("a UUID is accepted in all its forms", () => {
  forAll(fc.uuid(), (uuid) => {
    const forms = [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `urn:uuid:${uuid}`, `{${uuid}}`];
    for (const form of forms) expect(parseUuid(form)).toEqual({ uuid });
  });
});

test.each([
  ["", "invalid length: expected length 32 for simple format, found 0"],
  ["abc", "invalid length: expected length 32 for simple format, found 3"],
  ["a-b", "invalid group count: expected 5, found 2"],
  ["a-b-c-d-e", "invalid group length in group 0: expected 8, found 1"],
  ["a-b-c-d-e-f", "invalid group count: expected 5, found 6"],
  ["a".repeat(31), "invalid length: expected length 32 for simple format, found 31"],
  [`urn:uuid:${"a".repeat(32)}`, "invalid group count: expected 5, found 1"],
  ["{}", "invalid group count: expected 5, found 1"],
  ["12345678-123-1234-1234-123456789012", "invalid group length in group 1: expected 4, found 3"],
  ["12345678-1234-12345-1234-123456789012", "invalid group length in group 2: expected 4, found 5"],
  ["12345678-1234-1234--123456789012", "invalid group length in group 3: expected 4, found 0"],
  ["12345678-1234-1234-1234-1234567890123", "invalid group length in group 4: expected 12, found 13"],
  ["{12345678-1234-1234-1234-1234}", "invalid group length in group 4: expected 12, found 6"],
  ...Object.entries({
    g: "`g` at 1",
    "a-é": "`é` at 3",
    "{z}": "`z` at 2",
    "urn:uuid:x": "`x` at 10",
    "{": "`{` at 1",
    "12345678-1234-1234-1234-123456789012}": "`}` at 37",
  }).map(([text, found]) => [
    text,
    `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found ${found}`,
  ]),
  ["12345678-1234-1234-1234-1234", "invalid group length in group 4: expected 12, found 4"],
  ["012345678-1234-1234-1234-123456789012", "invalid group length in group 0: expected 8, found 9"],
  ["a".repeat(33), "invalid length: expected length 32 for simple format, found 33"],
])("%j is not a valid UUID: %j", (text, error) => {
  expect(parseUuid(text)).toEqual({ error });
});
