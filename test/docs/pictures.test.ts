/** The pictures of the README show what the real programs print. */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
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
