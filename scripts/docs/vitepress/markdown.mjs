/** What the website adds to Markdown that reads well elsewhere: links between pages, diagrams, language tabs. */
import { posix } from "node:path";
import { renderMermaidSVG } from "beautiful-mermaid";
import { pictureHtml } from "./picture.mjs";

/** In the order of the tabs. */
const LANGUAGES = {
  ts: "TypeScript",
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  csharp: "C#",
  java: "Java",
  yaml: "YAML",
};

/** Returns the anchor of a heading as common repository hosts do, so that the same links work there and here. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

/** @param site `pages` maps the files of the repository to pages, and `sources` the pages to files */
export function extendMarkdown(md, site) {
  md.core.ruler.push("repository-links", ({ tokens, env }) => resolveLinks(tokens, env, site));
  md.core.ruler.push("language-tabs", (state) => {
    state.tokens = withLanguageTabs(state.tokens, state.Token);
  });
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (...args) => {
    const [tokens, index] = args;
    return tokens[index].info === "mermaid" ? diagram(tokens[index].content) : fence(...args);
  };
  const { image } = md.renderer.rules;
  md.renderer.rules.image = (tokens, index, ...more) =>
    pictureHtml(tokens[index].attrGet("src"), image(tokens, index, ...more), site.images);
  // Vue would evaluate them.
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...args) => text(...args).replaceAll("{{", "&#123;&#123;");
}

/** Makes links and pictures, which are relative to a file of the repository, absolute addresses of the website. */
function resolveLinks(tokens, env, site) {
  const source = site.sources[env.relativePath];
  if (source === undefined) return;
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const name = { link_open: "href", image: "src" }[token.type];
    const target = name && token.attrGet(name);
    if (!target || /^([a-z]+:|#|\/)/.test(target)) continue;
    const [path, anchor] = target.split("#");
    const file = posix.join(posix.dirname(source), path);
    const page = site.pages[file];
    token.attrSet(name, `/${page ?? file}${anchor === undefined ? "" : `#${anchor}`}`);
    // VitePress fails for a page that does not exist.
    if (page || file.endsWith(".md") || token.type === "image") continue;
    // Not a page: the browser opens the file.
    token.attrSet(name, `${site.base}${file}`);
    token.attrSet("target", "_blank");
  }
}

/** Joins blocks that show one program in several languages; "The same in Python:" may stand between them. */
function withLanguageTabs(tokens, Token) {
  const order = Object.values(LANGUAGES);
  const result = [];
  for (let index = 0; index < tokens.length; ) {
    const tabs = tabsAt(tokens, index);
    if (tabs.length < 2) result.push(tokens[index]);
    else
      result.push(
        ...rendered(
          tabs.toSorted((a, b) => order.indexOf(a.language) - order.indexOf(b.language)),
          Token,
        ),
      );
    index = tabs.length < 2 ? index + 1 : tabs.at(-1).end;
  }
  return result;
}

/** Returns the tabs that begin at a token: their language, the paragraph above their code, and their code. */
function tabsAt(tokens, start) {
  const tabs = [];
  let index = start;
  for (;;) {
    const note = tabs.length > 0 ? noteAt(tokens, index) : [];
    let at = index + note.length;
    while (tabs.length > 0 && tokens[at]?.type === "html_block") at += 1;
    const code = tokens[at];
    const language = code?.type === "fence" ? LANGUAGES[code.info.trim()] : undefined;
    if (!language || tabs.some((tab) => tab.language === language)) return tabs;
    tabs.push({ language, note, code, end: at + 1 });
    index = at + 1;
  }
}

/** Returns the tokens of a paragraph such as "The same in Python:". */
function noteAt(tokens, index) {
  const [open, inline] = tokens.slice(index, index + 2);
  const isNote = open?.type === "paragraph_open" && /\bin (Python|YAML|Go|C#|Java)\b.*:$/s.test(inline.content);
  return isNote ? tokens.slice(index, index + 3) : [];
}

/** The chosen language applies to all pages, and the plugin remembers it. */
function rendered(tabs, Token) {
  const html = (content) => Object.assign(new Token("html_block", "", 0), { content });
  const panels = tabs.flatMap(({ language, note, code }) => [
    html(`<PluginTabsTab label="${language}">\n`),
    ...(note[1]?.content.startsWith("The same") ? [] : note),
    code,
    html("</PluginTabsTab>\n"),
  ]);
  return [html('<PluginTabs sharedStateKey="language">\n'), ...panels, html("</PluginTabs>\n")];
}

let diagrams = 0;

/** Draws a Mermaid diagram from top to bottom, in the colors of the theme. It shrinks a little, and then scrolls. */
function diagram(text) {
  diagrams += 1;
  const downwards = text.replace(/^(flowchart LR|\s*direction LR)$/m, (line) => line.replace("LR", "TB"));
  const drawn = renderMermaidSVG(downwards, { padding: 8, nodeSpacing: 16, layerSpacing: 32 });
  const [, width] = /width="([\d.]+)"/.exec(drawn);
  const svg = drawn
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/style="[^"]*"/, `style="min-width: ${Math.round(width * 0.75)}px" aria-hidden="true"`)
    .replaceAll(/arrowhead(-start)?\b/g, `arrow$1-${diagrams}`);
  const label = text.replace(/[<>&"\s]+/g, " ").trim();
  return `<div class="diagram" role="img" tabindex="0" aria-label="${label}" v-pre>${svg}</div>\n`;
}
