/** Settings of the website, which `npm run docs` builds from a copy of the pages: see scripts/docs/run.ts. */
import { readFileSync } from "node:fs";
import { extendMarkdown, slugify } from "./markdown.mjs";
import { rendererForSearch, searchOptions } from "./search.mjs";

// Written by scripts/docs/run.ts: addresses, navigation, and the file of each page.
const site = JSON.parse(readFileSync(new URL("./site.json", import.meta.url), "utf8"));

export default {
  title: "pulumi-agentgraph",
  description: site.description,
  lang: "en-US",
  base: site.base,
  metaChunk: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${site.base}icon.svg` }]],
  vite: { build: { chunkSizeWarningLimit: 10_000 } },
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => extendMarkdown(md, site),
  },
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      { text: "Guide", link: "/getting-started", activeMatch: "^/(?!schema/|reference|changelog|$)" },
      {
        text: "Reference",
        activeMatch: "^/(schema/|reference)",
        items: [
          { text: "Resources and functions", link: "/schema/" },
          { text: "TypeScript", link: "/reference/" },
          { text: "Python", link: "/schema/python" },
        ],
      },
      { text: site.version, link: "/changelog" },
    ],
    sidebar: { "/schema/": site.reference, "/reference/": site.reference, "/": site.guide },
    outline: { level: [2, 3] },
    externalLinkIcon: true,
    search: {
      provider: "local",
      options: { detailedView: true, _render: rendererForSearch(site.messages), miniSearch: { searchOptions } },
    },
    ...(site.repository && {
      editLink: { pattern: ({ frontmatter }) => frontmatter.editLinkUrl, text: "Edit this page" },
      socialLinks: [{ icon: "git", link: site.repository, ariaLabel: "Repository" }],
    }),
    notFound: {
      quote: "This page does not exist. The search may find what you need.",
      linkText: "Go to the start page",
    },
    footer: { message: "Released under the Apache-2.0 license." },
  },
  transformHead: ({ pageData: { relativePath } }) =>
    relativePath in site.sources
      ? [["link", { rel: "alternate", type: "text/markdown", href: `${site.base}${relativePath}` }]]
      : [],
  transformPageData: ({ relativePath, frontmatter }) => ({
    frontmatter: {
      ...frontmatter,
      ...(relativePath === "index.md" && { features: site.features }),
      editLinkUrl: `${site.repository}/${site.edit[relativePath]}`,
    },
  }),
};
