/** The pictures and the comment in the guide show what the real programs print. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, textOf } from "../support/markdown";

const pictures = readdirSync(join(ROOT, "docs/images"));
const FORM = /(-narrow|-dark)+(?=\.\w+$)/;
const [forms, originals] = [true, false].map((isForm) => pictures.filter((name) => FORM.test(name) === isForm));

test("the picture of the emulator's page was taken after the last change of the page", () => {
  const check = [join(ROOT, "scripts/docs/pictures.ts"), "--check"];
  expect(execFileSync(process.execPath, check, { encoding: "utf8" })).toBe("");
});

test("the README shows the comment that the CLI makes of the saved preview", () => {
  const review = [join(ROOT, "dist/cli/main.js"), "review", join(ROOT, "scripts/docs/captures/preview.json")];
  const [, comment = ""] =
    /^### ([\s\S]+?)\s+<details>/m.exec(execFileSync(process.execPath, review, { encoding: "utf8" })) ?? [];
  const shown = comment.replace(/.*/, "**$&**");
  const flat = (text: string) => text.replaceAll(/\s+>?\s*/g, " ");
  expect(flat(textOf("README.md"))).toContain(flat(shown));
});

test.each(pictures.filter((name) => name.endsWith(".svg")))(
  "docs/images/%s contains no time, no address of this machine and no secret",
  (name) => {
    const text = textOf(`docs/images/${name}`).replace("http://www.w3.org/2000/svg", "");
    expect(text).not.toMatch(/\d{4}-\d\d-\d\dT|127\.0\.0\.1|https?:|(old|new|any)-key/);
  },
);

test.each(pictures)("docs/images/%s is small enough for a page", (name) => {
  expect(statSync(join(ROOT, "docs/images", name)).size).toBeLessThan(160_000);
});

test.each(originals ?? [])(
  "docs/images/%s is shown in the guide, with a text for those who cannot see it, and has a form for phones",
  (name) => {
    const guide = readdirSync(join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
    const isShown = (page: string) => new RegExp(`!\\[.{20,}\\]\\(images/${name}\\)`).test(textOf(`docs/${page}`));
    expect(guide.some(isShown)).toBe(true);
    expect(forms).toContain(name.replace(".", "-narrow."));
  },
);

test("the README shows pictures with texts, in forms for phones and for dark pages", () => {
  const shown = [...textOf("README.md").matchAll(/<picture>([\s\S]*?)<\/picture>/g)].map(([, inner = ""]) => inner);
  expect(shown.length).toBeGreaterThan(1);
  for (const inner of shown) {
    const [, source = ""] = /<img alt="[^"]{20,}" src="docs\/images\/([\w.]+)">/.exec(inner) ?? [];
    const offered = [...inner.matchAll(/srcset="docs\/images\/([\w.-]+)"/g)].map(([, name = ""]) => name);
    expect(originals).toContain(source);
    expect(offered.sort()).toEqual(forms?.filter((name) => name.replace(FORM, "") === source).sort());
  }
});

test("docs/logo.png has the form and the size that the Pulumi Registry asks for", () => {
  const image = readFileSync(join(ROOT, "docs/logo.png"));
  expect(image.subarray(0, 8)).toEqual(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([100, 100]);
  expect(image.length).toBeLessThan(10_000);
});
