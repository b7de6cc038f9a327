/** Bundles the page into one file without requests to others: emulator/dist/page.html. */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

const SOURCE = import.meta.dirname;
const DIST = join(SOURCE, "..", "dist");
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#3b5bdb'/>" +
  "<path d='M4.5 8.5l2.5 2.5 4.5-5' fill='none' stroke='white' stroke-width='1.6'/></svg>";

const { faultFields, commonFaultFields } = createRequire(import.meta.url)(join(DIST, "runtime/fault-fields.js"));
const FAULT_FIELDS = Object.fromEntries(
  Object.entries(faultFields).map(([kind, fields]) => [kind, { ...fields, ...commonFaultFields }]),
);

const { outputFiles } = await build({
  entryPoints: [join(SOURCE, "main.tsx"), join(SOURCE, "style", "index.css")],
  outdir: DIST,
  write: false,
  bundle: true,
  minify: true,
  charset: "utf8",
  target: ["chrome123", "firefox120", "safari17.5"],
  define: { FAULT_FIELDS: JSON.stringify(FAULT_FIELDS) },
});
const textOf = (extension) => outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();

// What the licenses of the packages in the page require.
const licenses = ["preact", "eventsource-parser", "diff"].map(async (name) => {
  const text = await readFile(join(SOURCE, "../../node_modules", name, "LICENSE"), "utf8");
  return `<!-- This page contains ${name}:\n\n${text.trim()}\n-->`;
});

const template = await readFile(join(SOURCE, "index.html"), "utf8");
const parts = {
  "/* icon */": ICON.replace(/[<>#]/g, encodeURIComponent),
  "/* style */": textOf(".css"),
  "/* script */": textOf(".js"),
  "<!-- licenses -->": (await Promise.all(licenses)).join("\n"),
};
// A function, because a text would have its own meaning for "$&".
const page = Object.entries(parts).reduce((html, [place, text]) => html.replace(place, () => text), template);
await writeFile(join(DIST, "page.html"), page);
