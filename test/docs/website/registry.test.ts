/** The pages that the Pulumi Registry shows have its form, and name everything that they must. */
import { parse } from "yaml";
import { definitions } from "../../../provider/definitions";
import { environmentName } from "../../../provider/settings/servers";
import { settingsSchema } from "../../../provider/settings/settings-schema";
import { linksOf, REGISTRY_PAGES, textOf } from "../support/markdown";

const LANGUAGES = ["typescript", "python", "go", "csharp", "java", "yaml"];

const frontMatterOf = (text: string) => parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "");

test.each(REGISTRY_PAGES)("%s has the front matter of a package", (page) => {
  const { title, meta_desc, layout } = frontMatterOf(textOf(page));
  expect({ title, layout }).toEqual({ title: expect.stringMatching(/^AgentGraph/), layout: "package" });
  expect(meta_desc).toMatch(/^Provides an overview .* AgentGraph Provider for Pulumi\.$/);
});

test.each(REGISTRY_PAGES)("each chooser of %s has every language once, in its order", (page) => {
  const choosers = [
    ...textOf(page).matchAll(/\{\{< chooser language "([\w,]+)" >\}\}([\s\S]*?)\{\{< \/chooser >\}\}/g),
  ];
  expect(choosers.length).toBeGreaterThan(0);
  for (const [, languages = "", content = ""] of choosers) {
    expect(languages.split(",")).toEqual(LANGUAGES);
    const opened = [...content.matchAll(/\{\{% choosable language (\w+) %\}\}/g)].map(([, language]) => language);
    expect(opened).toEqual(LANGUAGES);
    expect(content.match(/\{\{% \/choosable %\}\}/g)).toHaveLength(LANGUAGES.length);
  }
  // Neither an opening nor a closing tag stands alone.
  expect(textOf(page).match(/\{\{[<%].*?[>%]\}\}/g) ?? []).toHaveLength(choosers.length * (2 + 2 * LANGUAGES.length));
});

test("the links of the pages lead to pages that the Registry has for each package", () => {
  const targets = REGISTRY_PAGES.flatMap((page) => linksOf(textOf(page)).map(({ target }) => target));
  expect(targets.length).toBeGreaterThan(0);
  expect(targets.filter((target) => !/^\.\/(api-docs|installation-configuration)\/$/.test(target))).toEqual([]);
});

test("the overview declares resources of the package, and its text names what they are", () => {
  const overview = textOf("docs/_index.md");
  const types = [...overview.matchAll(/type: agentgraph:(\w+)/g)].map(([, kind]) => kind);
  expect(types.length).toBeGreaterThan(0);
  expect(types.filter((type) => !definitions.some(({ kind }) => kind === type))).toEqual([]);
});

test("the page on configuration lists every setting with its environment variable", () => {
  const items = [...textOf("docs/installation-configuration.md").matchAll(/`(\w+)`\s\(`(AGENTGRAPH_\w+)`\)/g)];
  const settings = Object.keys(settingsSchema.shape);
  expect(items.map(([, key, variable]) => [key, variable]).sort()).toEqual(
    settings.map((key) => [key, environmentName(key)]).sort(),
  );
});
