/** Checks the website: each link leads to a page and a heading, and no page loads anything from another host. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Link {
  tag: string;
  target: string;
}

interface Parsed {
  ids: ReadonlySet<string>;
  links: Link[];
}

interface Website {
  folder: string;
  /** The path below which it is served. */
  base: string;
  pages: ReadonlyMap<string, Parsed>;
}

/** Returns the number of links, and a line for each one that is broken. */
export function brokenLinks(folder: string, base: string) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  const pages = new Map(names.map((name) => [name, parsed(readFileSync(join(folder, name), "utf8"))]));
  const broken: string[] = [];
  let count = 0;
  for (const [name, { links }] of pages) {
    for (const link of new Set(links)) {
      count += 1;
      const reason = problemOf(link, name, { folder, base, pages });
      if (reason) broken.push(`${name}: ${link.target}: ${reason}`);
    }
  }
  return { count, broken };
}

const parsed = (html: string): Parsed => ({
  ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)),
  links: [...html.matchAll(/<(\w+)\s[^>]*?\b(?:href|src)="([^"]*)"/g)].map(([, tag = "", target = ""]) => ({
    tag,
    target,
  })),
});

function problemOf({ tag, target }: Link, name: string, { folder, base, pages }: Website): string | undefined {
  if (/^(data|mailto):/.test(target)) return undefined;
  if (/^([a-z]+:)?\/\//.test(target)) return tag === "a" ? undefined : "loaded from another host";
  const { pathname, hash } = new URL(target, `http://localhost${base}${name}`);
  if (!pathname.startsWith(base)) return `not below ${base}`;
  const path = decodeURIComponent(pathname.slice(base.length));
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (!existsSync(join(folder, file))) return "does not exist";
  const page = pages.get(file);
  if (hash === "" || !page) return undefined;
  return page.ids.has(decodeURIComponent(hash.slice(1))) ? undefined : "no such heading";
}
