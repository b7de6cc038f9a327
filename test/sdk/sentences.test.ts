/** What users read in an editor stands by itself: nobody has the interface's text at hand, or knows our own words. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const sdk = ["kinds", "lookups"].map((file) => readFileSync(join(__dirname, `../../sdk/${file}.ts`), "utf8")).join("");
const sentences = [...new Set([...sdk.matchAll(/\/\*\* (.*) \*\//g)].map(([, sentence]) => sentence ?? ""))];

it("there are many, and none names a section of the interface or what only its readers know", () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect(sentences.filter((text) => /interface|\bsection\b|neutral word|our marker/i.test(text))).toEqual([]);
});

it("each is a sentence", () => {
  expect(sentences.filter((text) => !/^[A-Z`].*\.$/.test(text))).toEqual([]);
});
