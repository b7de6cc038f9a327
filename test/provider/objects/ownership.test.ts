/** Whose an object is, in the cases that no operation on a server reaches alone. */
import type { Context } from "../../../provider/definition/context";
import { type Attempt, type ObjectKind, objectNames } from "../../../provider/objects/kind";
import { deriveResourceId } from "../../../provider/objects/metadata/metadata";
import { isOfRequest, isOwn, otherObject } from "../../../provider/objects/ownership";
import { isDeclaredCron } from "../../../provider/objects/server/before-replace";

interface Note {
  id: string;
  metadata?: Record<string, unknown>;
  createdAt?: string;
}

const [ID, OTHER_ID] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const names = objectNames("Note");
const kind = { ...names, idInput: "noteId", idOf: ({ id }: Note) => id, deriveId: () => ID } as unknown as ObjectKind<
  never,
  never,
  Note
>;
const ctx = {
  marker: "acme/urn:pulumi:dev::shop::a:b:Note::one",
  settings: { ownerMarker: true },
  moves: { originOf: (id: string) => id },
} as unknown as Context;
const marked = { [names.keys.object]: ID };
const attempt = (more: Partial<Attempt> = {}) =>
  ({ ctx, id: ID, derivedId: ID, tags: marked, ...more }) as Attempt<never>;

test("An object that nobody may manage is nobody's, also with the marker of this resource", () => {
  const note: Note = { id: ID, metadata: marked };
  expect(isOwn(kind, note, attempt())).toBe(true);
  expect(isOwn({ ...kind, forbidden: () => "is a default one" }, note, attempt())).toBe(false);
});

test.each<[string, boolean, string, boolean]>([
  ["with a response", true, OTHER_ID, true],
  ["without a response, under the derived ID", true, ID, false],
  ["without a response, under another ID", false, OTHER_ID, false],
])("Without markers, an object %s counts as that of the request: %s", (_, expected, id, hasResponse) => {
  expect(isOfRequest(kind, { id }, attempt({ tags: {} }), hasResponse)).toBe(expected);
});

test("A copy of the object in state is another one, although it has the marker of the resource", () => {
  const resource = { [names.keys.resource]: deriveResourceId(ctx) };
  const [createdAt, before] = ["2026-03-02T00:00:00Z", { createdAt: "2026-03-01T00:00:00Z" } as never];
  const note: Note = { id: OTHER_ID, createdAt, metadata: resource };
  expect(otherObject(kind, note, before, ctx)).toBeUndefined();
  const copy = { ...note, metadata: { ...resource, [`${names.keys.object}_id`]: ID } };
  expect(otherObject(kind, copy, before, ctx)).toContain("it is another one than this resource had");
});

test("A cron of a backup is that of a program if it has a marker, and is not a copy", () => {
  const declared = { pulumi_cron: "tag" };
  const [own, copy] = [ID, OTHER_ID].map((id) => ({ ...declared, pulumi_cron_id: id }));
  const areDeclared = [undefined, {}, copy, declared, own].map((metadata) => isDeclaredCron({ cron_id: ID, metadata }));
  expect(areDeclared).toEqual([false, false, false, true, true]);
});
