/** What an import says of an object, by what its read shows of its owner. */
import type { Context, Observation } from "../../../../provider/definition/context";
import type { Definition } from "../../../../provider/definition/definition";
import { importedId, importProblem, importWarnings } from "../../../../provider/engine/objects/import";

const urnOf = (stack: string, name: string, type = "pulumi-nodejs:dynamic:Resource") =>
  `acme/urn:pulumi:${stack}::shop::${type}::${name}`;
const OWN = urnOf("dev", "one");
const ctx = { marker: OWN } as Context;
const definition = { kind: "Note" } as Definition;
const problemOf = (seen: Partial<Observation>) => importProblem(definition, "n-1", seen as Observation, ctx);
const warningsOf = (seen: Partial<Observation>) => importWarnings(definition, seen as Observation, ctx);

test.each([
  ["nothing", undefined, undefined, undefined],
  ["an object, where none is replaced", "n-1", undefined, "n-1"],
  ["another object than the replaced one", "n-2", "n-1", "n-2"],
  ["the replaced object", "n-1", "n-1", undefined],
  ["the replaced object with its container", "container/n-1", "n-1", undefined],
])("A create imports what the program names, but not what it replaces: %s", (_, named, replaced, imported) => {
  expect(importedId(named === undefined ? {} : { import: named }, replaced)).toBe(imported);
});

const SIBLING = urnOf("dev", "two");
test.each<[string, Partial<Observation>, string | undefined]>([
  ["of nobody", {}, undefined],
  ["of this resource", { marker: OWN }, undefined],
  ["of another stack", { marker: urnOf("live", "one") }, undefined],
  ["of another resource of this stack", { marker: SIBLING }, `by this stack as ${SIBLING.slice(5)}.`],
  ["of one that is not named", { isOfSibling: true }, "by this stack under another name."],
  ["that nobody may manage", { marker: OWN, unmanageable: "is a default" }, "Note n-1 is a default."],
])("The problem of an import of an object %s is that this stack manages it already, or none", (_, seen, problem) => {
  if (problem === undefined) expect(problemOf(seen)).toBeUndefined();
  else expect(problemOf(seen)).toContain(problem);
});

test.each<[string, Partial<Observation>, RegExp[]]>([
  ["of nobody", {}, []],
  ["of this resource", { marker: OWN }, []],
  ["of another resource of this stack", { marker: SIBLING }, []],
  ["with a marker of another tool", { marker: "of another tool" }, []],
  ["of another stack", { marker: urnOf("live", "one") }, [/by acme.* 'urn:.*one' --stack acme\/shop\/live$/s]],
  ["of a stack that is not named", { isOfOtherStack: true }, [/by another stack, as its ownership marker shows\./]],
  ["with a hidden marker", { isMarkerHidden: true }, [/whose value the server does not show/]],
  ["that is compared in part", { omission: "its password is unknown." }, [/^import: its password is unknown\.$/]],
])("The warnings of an import of an object %s name another stack, and what is not compared", (_, seen, warnings) => {
  expect(warningsOf(seen)).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
});
