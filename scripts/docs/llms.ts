/** What the website serves to programs: each page as Markdown, at its address with `.md`, and llms.txt. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { write } from "./draft.ts";
import { websitePages } from "./pages.ts";
import type { Page } from "./schema-pages.ts";

/** Writes the files into the built website. */
export function writeMarkdownPages(folder: string, base: string) {
  const { pages, guide, reference } = websitePages();
  const paths = new Map(pages.map(({ source, path }) => [source, path]));
  for (const page of pages) write(join(folder, page.path), withWebsiteLinks(page, paths, base));
  const { name, description } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const isMarkdown = ({ link }: { link: string }) => link.endsWith(".md");
  const sections = [...guide, ...reference].map(({ text, items }) => {
    const lines = items.filter(isMarkdown).map((item) => `- [${item.text}](${base}${item.link.slice(1)})\n`);
    return `## ${text}\n\n${lines.join("")}`;
  });
  write(join(folder, "llms.txt"), `# ${name}\n\n> ${description}\n\n${sections.join("\n")}`);
}

/** Links between files of the repository become links between pages. Code stays as it is. */
function withWebsiteLinks({ text, source }: Page, paths: ReadonlyMap<string, string>, base: string) {
  const parts = text.split(/(^```[\s\S]*?^```$)/m);
  const resolved = parts.map((part) =>
    part.startsWith("```")
      ? part
      : part.replace(/\]\((?![a-z]+:|#|\/)([^()\s#]+)(#[^)\s]*)?\)/g, (_, target: string, anchor = "") => {
          const file = posix.join(posix.dirname(source), target);
          return `](${base}${paths.get(file) ?? file}${anchor})`;
        }),
  );
  return resolved.join("");
}
