/** Descriptions in the editor are complete: they do not refer to sections of the interface or to internal terms. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const sdk = ["resources", "functions"]
  .map((file) => readFileSync(join(__dirname, `../../sdk/nodejs/${file}.ts`), "utf8"))
  .join("");
const sentences = [...new Set([...sdk.matchAll(/\/\*\* (.*) \*\//g)].map(([, sentence]) => sentence ?? ""))];

it("no description refers to a section of the interface or to internal terms", () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect(sentences.filter((text) => /interface|\bsection\b|neutral word|our marker/i.test(text))).toEqual([]);
});

it("every description is a sentence", () => {
  expect(sentences.filter((text) => !/^[A-Z`].*\.$/.test(text))).toEqual([]);
});
