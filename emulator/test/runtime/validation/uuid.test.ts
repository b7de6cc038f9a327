import fc from "fast-check";
import { parseUuid } from "../../../src/runtime/validation/uuid";

test("a UUID is accepted in all its forms", () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const forms = [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `urn:uuid:${uuid}`, `{${uuid}}`];
      for (const form of forms) expect(parseUuid(form)).toEqual({ uuid });
    }),
  );
});

test.each([
  ["", "invalid length: expected length 32 for simple format, found 0"],
  ["abc", "invalid length: expected length 32 for simple format, found 3"],
  ["a-b", "invalid group count: expected 5, found 2"],
  ["a-b-c-d-e", "invalid group length in group 0: expected 8, found 1"],
  ["12345678-1234-1234-1234-1234", "invalid group length in group 4: expected 12, found 4"],
])("%j is not a valid UUID: %j", (text, error) => {
  expect(parseUuid(text)).toEqual({ error });
});
