/** Whose an object is, in the cases that no operation on a server reaches alone. */
import type { Context } from "../../../provider/definition/context";
import { type Attempt, type ObjectKind, objectNames } from "../../../provider/objects/kind";
import { deriveResourceId, deriveStackId } from "../../../provider/objects/metadata/metadata";
import { createAttempt, foreignOwner, isOfRequest, isOwn } from "../../../provider/objects/ownership";
import { isDeclaredCron } from "../../../provider/objects/server/before-replace";

interface Note {
  id: string;
  metadata?: Record<string, unknown>;
  createdAt?: string;
}

// With letters: servers may return them in upper case.
const [ID, OTHER_ID] = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"];
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

/** A marker that names the object which has it. */
const naming = (id: string) => ({ ...marked, [`${names.keys.object}_id`]: id });
const declared = attempt({ id: OTHER_ID });

test.each<[string, boolean, Note, Attempt<never>, object?]>([
  ["under the derived ID, without metadata", true, { id: ID }, attempt()],
  ["under the derived ID in upper case", true, { id: ID.toUpperCase() }, attempt()],
  ["under a declared ID, without metadata", false, { id: OTHER_ID }, declared],
  ["under a declared ID, with the marker", true, { id: OTHER_ID, metadata: marked }, declared],
  ["with another marker", false, { id: OTHER_ID, metadata: { [names.keys.object]: OTHER_ID } }, declared],
  ["with the marker, under the ID of a server", true, { id: OTHER_ID, metadata: marked }, attempt()],
  ["that names itself, in upper case", true, { id: OTHER_ID.toUpperCase(), metadata: naming(OTHER_ID) }, attempt()],
  ["that is a copy, since it names another one", false, { id: OTHER_ID, metadata: naming(ID) }, attempt()],
  ["that names another one, under the declared ID", true, { id: OTHER_ID, metadata: naming(ID) }, declared],
  ["that names another one, in upper case", true, { id: OTHER_ID.toUpperCase(), metadata: naming(ID) }, declared],
  ["of a kind whose copies have the marker", false, { id: OTHER_ID, metadata: marked }, attempt(), { isCopied: true }],
  ["that nobody may manage", false, { id: ID, metadata: marked }, attempt(), { forbidden: () => "is a default one" }],
  ["without metadata and without markers", false, { id: OTHER_ID }, attempt({ id: OTHER_ID, tags: {} })],
])("An object %s is that of the resource: %s", (_, expected, note, ofAttempt, more = {}) => {
  expect(isOwn({ ...kind, ...more }, note, ofAttempt)).toBe(expected);
});

test("An attempt has the ID derived before its deployment moved, and sends a declared one in lowercase", () => {
  const derived = { ...kind, deriveId: ({ deploymentId }: { deploymentId?: string }) => deploymentId ?? "none" };
  const moved = { ...ctx, moves: { originOf: (id: string) => `origin of ${id}` } } as unknown as Context;
  const of = (
    desired: object,
    { idInput = kind.idInput, context = moved }: { idInput?: string; context?: Context } = {},
  ) => createAttempt({ ...derived, idInput } as unknown as ObjectKind<never>, desired as never, {} as never, context);
  expect(of({ deploymentId: "d" })).toMatchObject({ id: "origin of d", derivedId: "origin of d" });
  expect(of({})).toMatchObject({ id: "none", tags: { [names.keys.object]: "none" } });
  expect(of({ noteId: OTHER_ID.toUpperCase() })).toMatchObject({ id: OTHER_ID, derivedId: "none" });
  expect(of({}, { context: { ...moved, settings: { ownerMarker: false } } as Context }).tags).toEqual({});
});

test.each<[string, boolean, string, boolean]>([
  ["with a response", true, OTHER_ID, true],
  ["without a response, under the derived ID", true, ID, false],
  ["without a response, under another ID", false, OTHER_ID, false],
])("Without markers, an object %s counts as that of the request: %s", (_, expected, id, hasResponse) => {
  const special = { ...kind, isOfRequest: () => false };
  expect(isOfRequest(special, { id }, attempt({ tags: {} }), hasResponse)).toBe(expected);
  expect(isOfRequest(special, { id, metadata: marked }, attempt(), hasResponse)).toBe(false);
  expect(isOfRequest(kind, { id, metadata: marked }, attempt(), hasResponse)).toBe(true);
});

test("A cron of a backup is that of a program if it has a marker, and is not a copy", () => {
  const declared = { pulumi_cron: "tag" };
  const [own, copy] = [ID, OTHER_ID].map((id) => ({ ...declared, pulumi_cron_id: id }));
  const areDeclared = [undefined, {}, copy, declared, own].map((metadata) => isDeclaredCron({ cron_id: ID, metadata }));
  expect(areDeclared).toEqual([false, false, false, true, true]);
});

const THEIR_MARKER = "acme/urn:pulumi:live::shop::a:b:Note::one";
const [theirs, stackKey] = [deriveStackId({ marker: THEIR_MARKER }), names.keys.stack];

test.each<[string, Note["metadata"], { marker?: string; earlierMarker?: string }, boolean]>([
  ["no marker", undefined, {}, false],
  ["the marker of its stack", { [stackKey]: deriveStackId(ctx) }, {}, false],
  ["the marker of another stack", { [stackKey]: theirs }, {}, true],
  ["the marker that an import found", { [stackKey]: theirs }, { marker: theirs }, false],
  ["the marker of before its stack was renamed", { [stackKey]: theirs }, { earlierMarker: THEIR_MARKER }, false],
  ["another one than state", { [stackKey]: theirs }, { marker: "x", earlierMarker: "y" }, true],
  ["the marker of a stack, on a copy", { [stackKey]: theirs, ...naming(ID) }, {}, false],
])("Of the object in state with %s, another stack is the owner: %s", (_, metadata, recorded, isOther) => {
  const note: Note = { id: OTHER_ID, createdAt: "2026-03-01T00:00:00Z", ...(metadata && { metadata }) };
  const reason = foreignOwner(kind, note, note as never, { ...ctx, recorded } as Context);
  expect(reason).toBe(isOther ? `another stack manages it, as its metadata key ${stackKey} shows` : undefined);
});

test("An object that another client created again has another owner, unless it has the ID derived here", () => {
  const [note, before] = [{ id: OTHER_ID, createdAt: "2026-03-02T00:00:00Z" }, { createdAt: "2026-03-01T00:00:00Z" }];
  const context = { ...ctx, recorded: {} } as Context;
  const shown = `it was created at ${note.createdAt}, and the one in state at ${before.createdAt}`;
  expect(foreignOwner(kind, note, before as never, context)).toContain(shown);
  expect(foreignOwner(kind, { ...note, id: ID }, before as never, context)).toBeUndefined();
  const metadata = { [names.keys.resource]: deriveResourceId(ctx) };
  expect(foreignOwner(kind, { ...note, metadata }, before as never, context)).toBeUndefined();
  expect(foreignOwner(kind, { ...note, metadata: { ...metadata, ...naming(ID) } }, before as never, context)).toContain(
    shown,
  );
  const forbidden = { ...kind, forbidden: () => "is a default one" };
  expect(foreignOwner(forbidden, note, note as never, context)).toBe("it is a default one");
});
