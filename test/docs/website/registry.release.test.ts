/** Hugo, which builds the Pulumi Registry, renders the pages that it shows, with shortcodes of the same form. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { describeWithTools } from "../../support/tools";
import { blocksOf, linksOf, REGISTRY_PAGES, textOf } from "../support/markdown";

const PACKAGE = "registry/packages/agentgraph";
/**
 * The markup of a shortcode surrounds its content on the same line, so empty lines in the page decide what is Markdown.
 */
const SITE = {
  "hugo.json": JSON.stringify({
    baseURL: "https://example.com/",
    disableKinds: ["taxonomy", "rss", "sitemap"],
    markup: { goldmark: { renderer: { unsafe: true } } },
  }),
  "layouts/_shortcodes/chooser.html":
    '<div>\n<pulumi-chooser type="{{ .Get 0 }}" options="{{ .Get 1 }}">{{ .Inner | markdownify ' +
    "}}</pulumi-chooser></div>\n",
  "layouts/_shortcodes/choosable.html":
    '<div>\n<pulumi-choosable type="{{ .Get 0 }}" values="{{ .Get 1 }}">{{ .Inner }}</pulumi-choosable>\n</div>\n',
  "layouts/package.html":
    '<title>{{ .Title }}</title>\n<meta name="description" content="{{ .Params.meta_desc }}">\n{{ .Content }}',
  // Of the pages above them, which the Registry has.
  "layouts/all.html": "",
  // The Registry generates it from the schema.
  [`content/${PACKAGE}/api-docs/_index.md`]: "---\ntitle: API Docs\nlayout: package\n---\n",
};

/** Returns the text that a browser shows. */
const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#34;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describeWithTools("the pages of the Registry", ["python", "registry"], ({ python, registry }) => {
  const folder = newFolder();
  const published = (page: string) => {
    const name = page.replace("docs/", "").replace(/(^|\/)_index\.md$|\.md$/, "");
    return join(folder, "public", PACKAGE, name, "index.html");
  };

  beforeAll(() => {
    const pages = REGISTRY_PAGES.map((page) => [page.replace("docs", `content/${PACKAGE}`), textOf(page)]);
    for (const [name = "", text = ""] of [...Object.entries(SITE), ...pages]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const env = { ...process.env, PYTHONPATH: registry };
    execFileSync(python, ["-m", "hugo", "--panicOnWarning", "--source", folder], { env, stdio: "pipe" });
  });

  test.each(REGISTRY_PAGES)(
    "%s has its title and description, and nothing of a shortcode or a fence is left",
    (page) => {
      const html = readFileSync(published(page), "utf8");
      expect(html).toMatch(/^<title>AgentGraph/);
      expect(html).toMatch(/content="Provides an overview o[fn] /);
      expect(plain(html)).not.toMatch(/\{\{[<%]|[<%]\}\}|```|HAHAHUGOSHORTCODE/);
    },
  );

  test.each(REGISTRY_PAGES)("each choice of %s shows what the page has for that language", (page) => {
    const html = readFileSync(published(page), "utf8");
    const choices = [
      ...html.matchAll(/<pulumi-choosable type="language" values="(\w+)">([\s\S]*?)<\/pulumi-choosable>/g),
    ];
    const sources = textOf(page).matchAll(/\{\{% choosable language (\w+) %\}\}([\s\S]*?)\{\{% \/choosable %\}\}/g);
    const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
    const expected = [...sources].map(([, language = "", source = ""]) => [
      language,
      lines(source.replace(/^```.*$/gm, "").replaceAll("`", "")),
    ]);
    expect(expected.length).toBeGreaterThan(5);
    expect(choices.map(([, language, content = ""]) => [language, lines(plain(content))])).toEqual(expected);
  });

  test.each(REGISTRY_PAGES)("the blocks of %s are code in their languages, and its tables are tables", (page) => {
    const html = readFileSync(published(page), "utf8");
    const shown = [...html.matchAll(/<code class="language-(\w+)"/g)].map(([, language]) => language);
    expect(shown).toEqual(blocksOf(page).map(({ language }) => language));
    expect(html.match(/<table>/g)?.length ?? 0).toBe(textOf(page).match(/^\|---/gm)?.length ?? 0);
  });

  test.each(REGISTRY_PAGES)("each link of %s leads to a page", (page) => {
    const html = readFileSync(published(page), "utf8");
    const targets = [...html.matchAll(/href="([^"]+)"/g)].map(([, target = ""]) => target);
    expect(targets).toEqual(linksOf(textOf(page)).map(({ target }) => target));
    const files = targets.map((target) => join(dirname(published(page)), target, "index.html"));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});
