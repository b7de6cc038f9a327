/** Which objects with the marker of a resource it is warned of, and what is said of one that is in the way. */
import type { Context } from "../../../provider/definition/context";
import { type Attempt, type ObjectKind, objectNames } from "../../../provider/objects/kind";
import { toConflictError, warnOfOthers } from "../../../provider/objects/messages";
import { buildMetadata, markerFacts, markerMetadata } from "../../../provider/objects/metadata/metadata";
import { existedBefore } from "../../../provider/objects/server/lost-response";

interface Note {
  id: string;
  metadata?: Record<string, unknown>;
}

const names = objectNames("Note");
const { keys } = names;
const kind = { ...names, idInput: "noteId", idOf: ({ id }: Note) => id } as unknown as ObjectKind<never, never, Note>;
const marker = "acme/urn:pulumi:dev::shop::a:b:Note::one";
const markerOf = (of: string, tag = "tag") => markerMetadata(keys, tag, { marker: of });
const [OWN, LEFTOVER] = [markerOf(marker), markerOf(marker, "other inputs")];
const SIBLING = markerOf(marker.replace(/one$/, "two"));
const STRANGER = markerOf(marker.replace("dev", "live"));

/** Returns the warnings of others, of an attempt whose object is `n-1`. */
async function warningsOf(others: readonly Note[], tags: Attempt["tags"] = OWN): Promise<string[]> {
  const warnings: string[] = [];
  const log = { warn: (text: string) => void warnings.push(text) };
  const ctx = { marker, log, ownerHint: "", urn: marker.slice(5), isManaged: (id: string) => id === "managed" };
  const attempt = { ctx, tags, desired: {}, server: { url: "https://agents.example" } } as unknown as Attempt<never>;
  await warnOfOthers(kind, { id: "n-1", outcome: "It is n-1.", search: async () => others }, attempt);
  return warnings;
}

test.each<[string, Note, RegExp[]]>([
  [
    "the same marker",
    { id: "n-2", metadata: OWN },
    [/^It is n-1\. Other notes at \S+ have the same ownership .*: n-2\./],
  ],
  ["the marker of earlier inputs", { id: "n-2", metadata: LEFTOVER }, [/no resource manages: n-2\. .*\n.*DELETE/s]],
  ["the ID of the resource's object", { id: "n-1", metadata: OWN }, []],
  ["the ID of one that this run manages", { id: "managed", metadata: OWN }, []],
  ["a copied marker", { id: "n-2", metadata: { ...OWN, [`${keys.object}_id`]: "n-1" } }, []],
  ["the marker of another resource", { id: "n-2", metadata: SIBLING }, []],
  ["no metadata", { id: "n-2" }, []],
])("A resource warns of others that it created, and no object else: one with %s", async (_, other, warnings) => {
  expect(await warningsOf([other])).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
  expect(await warningsOf([other], {})).toEqual([]);
});

test.each<[string, Record<string, unknown> | undefined, object]>([
  ["nobody", undefined, { isOfSibling: false, isOfOtherStack: false, marker: undefined }],
  ["the resource", OWN, { isOfSibling: false, isOfOtherStack: false, marker: undefined }],
  ["another resource of the stack", SIBLING, { isOfSibling: true, isOfOtherStack: false, marker: undefined }],
  ["another stack", STRANGER, { isOfSibling: false, isOfOtherStack: true, marker: STRANGER[keys.stack] }],
])("The marker of an object of %s shows that to an import", (_, metadata, facts) => {
  expect(markerFacts(keys, metadata, { marker })).toEqual(facts);
});

test("A requested ID is taken by a sibling, unless that is a copy, or by someone else", () => {
  const ctx = { marker, urn: marker.slice(5) } as Context;
  const attempt = { ctx, desired: {}, server: { url: "https://agents.example" } } as unknown as Attempt;
  const errorOf = (metadata?: Note["metadata"]) =>
    toConflictError(kind, { id: "n-1", ...(metadata && { metadata }) }, attempt).message;
  expect(errorOf(SIBLING)).toContain(
    "noteId: note n-1 at https://agents.example is already managed by this stack under",
  );
  for (const metadata of [undefined, STRANGER, OWN, { ...SIBLING, [`${keys.object}_id`]: "n-2" }])
    expect(errorOf(metadata)).toContain("and this resource did not create it with its current inputs.");
});

test("A new object has the marker in place of declared metadata with its keys, and no null", () => {
  expect(buildMetadata({ team: "a", gone: null, [keys.object]: "declared" }, OWN)).toEqual({ team: "a", ...OWN });
});

test.each<[number | undefined, boolean]>([
  [-3000, true],
  [-1000, false],
  [1000, false],
  [undefined, false],
])(
  "An object that was created %s ms after a time existed before it, beyond the precision of the server's clock: %s",
  (ms, isEarlier) => {
    const time = Date.UTC(2026, 2, 1);
    const createdAt = ms === undefined ? undefined : new Date(time + ms).toISOString();
    expect(existedBefore({ createdAt }, time)).toBe(isEarlier);
  },
);
