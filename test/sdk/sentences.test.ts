/** What users read in an editor stands by itself: nobody has the interface's text at hand, or knows our own words. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const kinds = readFileSync(join(__dirname, "../../sdk/kinds.ts"), "utf8");
const sentences = [...new Set([...kinds.matchAll(/\/\*\* (.*) \*\//g)].map(([, sentence]) => sentence ?? ""))];

it("there are many, and none names a section of the interface or what only its readers know", () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect(sentences.filter((text) => /interface|\bsection\b|neutral word|our marker/i.test(text))).toEqual([]);
});

it("each is a sentence", () => {
  expect(sentences.filter((text) => !/^[A-Z`].*\.$/.test(text))).toEqual([]);
});
