/** The pictures of the README show what the real programs print. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, textOf } from "./support/markdown";

const pictures = readdirSync(join(ROOT, "docs/images"));

test("the pictures are drawn from what is saved, the comment is the one that `agentgraph review` prints today, and the page has not changed", () => {
  const check = [join(ROOT, "scripts/docs/pictures.ts"), "--check"];
  expect(execFileSync(process.execPath, check, { encoding: "utf8" })).toBe("");
});

test.each(pictures.filter((name) => name.endsWith(".svg")))(
  "docs/images/%s contains no time, no address of this machine and no secret",
  (name) => {
    const text = textOf(`docs/images/${name}`).replace("http://www.w3.org/2000/svg", "");
    expect(text).not.toMatch(/\d{4}-\d\d-\d\dT|127\.0\.0\.1|https?:|(old|new|any)-key/);
  },
);

test.each(pictures)("docs/images/%s is small enough for a page", (name) => {
  expect(statSync(join(ROOT, "docs/images", name)).size).toBeLessThan(150_000);
});

test.each(pictures)(
  "docs/images/%s is shown in the README and in the guide, with a text for those who cannot see it",
  (name) => {
    const guide = readdirSync(join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
    const isShown = (text: string, path: string) => new RegExp(`!\\[.{20,}\\]\\(${path}\\)`).test(text);
    expect(isShown(textOf("README.md"), `docs/images/${name}`)).toBe(true);
    expect(guide.some((page) => isShown(textOf(`docs/${page}`), `images/${name}`))).toBe(true);
  },
);

test("docs/logo.png has the form and the size that the Pulumi Registry asks for", () => {
  const image = readFileSync(join(ROOT, "docs/logo.png"));
  expect(image.subarray(0, 8)).toEqual(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([100, 100]);
  expect(image.length).toBeLessThan(10_000);
});
