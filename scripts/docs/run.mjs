/** `npm run docs`: builds the documentation as a website. `--serve` shows it. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ready } from "../setup/index.mjs";
import { ensureVitePress } from "../setup/npm-packages.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { duration, step } from "../setup/step.mjs";
import { brokenLinks } from "./links.mjs";
import { linkedFiles, websitePages } from "./pages.mjs";
import { serve } from "./serve.mjs";

export const usage = {
  command: "npm run docs",
  summary: "Builds the documentation as a website: the guide, and the references of all languages.",
  options: {
    serve: { type: "boolean", meaning: "show it on this machine" },
    port: { type: "string", form: "N", meaning: "port of --serve (default: 4173)" },
    out: { type: "string", form: "FOLDER", meaning: "where to write it (default: build/site)" },
  },
};

export async function main({ serve: isServed, port = "4173", out = join("build", "site") }) {
  const folder = resolve(ROOT, out);
  const base = process.env.DOCS_BASE || "/";
  const begin = Date.now();
  const { isBuilt } = isServed ? await serve(folder, base, Number(port)) : {};
  await build(folder, base);
  const name = relative(process.cwd(), folder) || ".";
  console.log(`The website is in ${name}, after ${duration(Date.now() - begin)}.`);
  isBuilt?.();
  return 0;
}

async function build(folder, base) {
  const { node, env } = await ready({ cli: false });
  const packages = await ensureVitePress(env);
  await step("Reference", "reading the types with TypeDoc", () =>
    run(node, [join(ROOT, "node_modules/typedoc/bin/typedoc")], { cwd: ROOT, env, failed: "TypeDoc failed" }),
  );
  const draft = join(PRIVATE, "site");
  await step("Website", "building the pages with VitePress", async (status) => {
    const count = writePages(draft, packages, base);
    const args = [join(packages, "vitepress/bin/vitepress.js"), "build", draft, "--outDir", folder];
    const { code, output } = await attempt(node, args, { cwd: ROOT, env });
    if (code !== 0) throw new Problem("VitePress could not build the website. See its output above.", output.trim());
    status(`${count} pages`);
  });
  await step("Links", "following every link", async (status) => {
    const { count, broken } = brokenLinks(folder, base);
    if (broken.length > 0) throw new Problem(`${broken.length} broken links`, broken.join("\n"));
    status(`all ${count} lead to a page and a heading`);
  });
}

/** Copies the pages to a folder in which VitePress finds them, its settings and its packages. Returns their number. */
function writePages(draft, packages, base) {
  const { pages, ...navigation } = websitePages();
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(ROOT, "docs/.vitepress"), join(draft, ".vitepress"), { recursive: true });
  for (const name of ["index.md", "public"])
    cpSync(join(draft, ".vitepress", name), join(draft, name), { recursive: true });
  symlinkSync(packages, join(draft, "node_modules"));
  for (const { path, text } of pages) write(join(draft, path), text);
  for (const file of linkedFiles(pages)) write(join(draft, "public", file), readFileSync(join(ROOT, file)));
  const sources = Object.fromEntries(pages.map(({ path, source }) => [path, source]));
  const site = {
    ...navigation,
    ...metadata(),
    base,
    repository: repository(),
    sources,
    pages: Object.fromEntries(pages.map(({ path, source }) => [source, path])),
    edit: Object.fromEntries(pages.map(({ path, edit }) => [path, edit])),
  };
  write(join(draft, ".vitepress/site.json"), JSON.stringify(site));
  return pages.length + 1;
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Returns what the landing page shows of the package and of the README. */
function metadata() {
  const { version, description } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const bullets = readme.matchAll(/^- \*\*(.+?)\*\*([\s\S]*?)(?=\n- |\n\n)/gm);
  const features = [...bullets].map(([, title, rest]) => ({
    title: sentence(title).replace(/\.$/, ""),
    details: sentence(rest),
  }));
  return { version: `v${version}`, description, features };
}

const sentence = (markdown) =>
  markdown
    .replace(/^[,:]?\s+/, "")
    .replace(/\s+/g, " ")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
    .replace(/`(.+?)`/g, "<code>$1</code>");

/** Returns the address of the repository, for links to the sources of pages; undefined outside its workflows. */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server && name ? `${server}/${name}` : undefined;
}
