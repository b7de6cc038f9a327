/** The folder from which VitePress builds the website: copies of the pages, settings, packages, and site.json. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { linkedFiles, websitePages } from "./pages.ts";

const SETTINGS = "scripts/docs/vitepress";

/** Writes the folder. Returns the number of pages. */
export function writeDraft(draft: string, packages: string, base: string): number {
  const { pages, ...navigation } = websitePages();
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(ROOT, SETTINGS), join(draft, ".vitepress"), { recursive: true });
  cpSync(join(ROOT, SETTINGS, "index.md"), join(draft, "index.md"));
  write(join(draft, "public/icon.svg"), readFileSync(join(ROOT, "docs/logo.svg")));
  symlinkSync(packages, join(draft, "node_modules"));
  for (const { path, text } of pages) write(join(draft, path), text);
  for (const file of linkedFiles(pages)) write(join(draft, "public", file), readFileSync(join(ROOT, file)));
  const site = {
    ...navigation,
    ...metadata(),
    base,
    repository: repository(),
    sources: Object.fromEntries(pages.map(({ path, source }) => [path, source])),
    pages: Object.fromEntries(pages.map(({ path, source }) => [source, path])),
    messages: explainedMessages(),
    images: readdirSync(join(ROOT, "docs/images")),
    edit: Object.fromEntries(pages.map(({ path, edit }) => [path, edit])),
  };
  write(join(draft, ".vitepress/site.json"), JSON.stringify(site));
  return pages.length + 1;
}

export function write(path: string, content: string | Buffer) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Returns the messages that sections of pages explain, by their addresses, so that the search finds them. */
function explainedMessages() {
  const { messages }: { messages: { text: string; page?: string }[] } = JSON.parse(
    readFileSync(join(ROOT, "docs/errors.json"), "utf8"),
  );
  return Object.groupBy(messages, ({ page = "" }) => page);
}

/** Returns what the website shows of package.json and, as the features on its landing page, of the README. */
function metadata() {
  const { version, description } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [list = ""] = /^- \*\*[\s\S]*?\n(?=\n)/m.exec(readme) ?? [];
  const bullets = list.matchAll(/^- \*\*(.+?)\*\*([\s\S]*?)(?=\n- |\n$)/gm);
  const features = [...bullets].map(([, title = "", details = ""]) => ({
    title: sentence(title).replace(/\.$/, ""),
    details: sentence(details),
  }));
  return { version: `v${version}`, description, features };
}

const sentence = (markdown: string) =>
  markdown
    .replace(/^[,:]?\s+/, "")
    .replace(/\s+/g, " ")
    // A card of the landing page shows no links.
    .replace(/\[(.+?)\]\(.+?\)/g, "$1")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
    .replace(/`(.+?)`/g, "<code>$1</code>");

/** Returns the address of the repository, for links to the sources of pages; undefined outside its workflows. */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server && name ? `${server}/${name}` : undefined;
}
