/** The pages of the website: which files they come from, their addresses, and their order in the navigation. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { withAllLanguages } from "./languages.ts";
import { pythonPage } from "./python-reference.ts";
import { type Page, type PageGroup, readSchema, schemaGroups } from "./schema-pages.ts";

/** Documents with another address or title in the navigation than their own. */
const OTHERS: Record<string, [path: string, title: string]> = {
  "README.md": ["overview.md", "Overview"],
  "docs/README.md": ["guide.md", "All pages"],
  "CHANGELOG.md": ["changelog.md", "Changelog"],
  "emulator/README.md": ["emulator-reference.md", "Emulator reference"],
  "docs/platform-api/README.md": ["platform-api.md", "Platform API"],
};

const read = (source: string) => withPlainPictures(readFileSync(join(ROOT, source), "utf8"));

/** The README offers hosts of repositories several forms of a picture, which the website finds by their names. */
const withPlainPictures = (text: string) =>
  text.replace(/<picture>[\s\S]*?<img alt="([^"]*)" src="([^"]*)">\s*<\/picture>/g, "![$1]($2)");

/** A page from a file of the repository. */
function page(source: string): Page {
  const text = read(source);
  const [path, title] = OTHERS[source] ?? [source.replace("docs/", ""), /^# (.+)$/m.exec(text)?.[1] ?? ""];
  return { path, title, text: withAllLanguages(text, readSchema()), source, edit: `edit/main/${source}` };
}

const LIST = "docs/README.md";

/** Returns the groups of the list of pages, in its order: sections with tables of links. */
function guideGroups(): PageGroup[] {
  const [, ...sections] = read(LIST).split("\n## ");
  return sections.map((section) => ({
    text: /^\w+/.exec(section)?.[0] ?? "",
    pages: [...section.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, target = ""]) => page(posix.join("docs", target))),
  }));
}

/** The modules that TypeDoc writes to build/reference, with their titles and the sources of their comments. */
const MODULES: [module: string, title: string, folder: string][] = [
  ["index", "Package", "sdk"],
  ["resources", "Types of resources", "provider/resources"],
  ["functions", "Types of functions", "provider/functions"],
  ["components/agent-service", "Types of services", "sdk/nodejs/components"],
];

function typescriptPages(): Page[] {
  return MODULES.map(([module, title, folder]) => {
    const source = `build/reference/${module}.md`;
    // TypeDoc begins with a link to its own index and the name of the module. Comments link as in a user's project.
    const text = read(source)
      .replace(/^.*\n\n# .*/, `# ${title}`)
      .replaceAll("](node_modules/pulumi-agentgraph/docs/", "](../../docs/");
    return { path: `reference/${module}.md`, title, text, source, edit: `tree/main/${folder}` };
  });
}

/** Folders of docs/ with pages. The others contain pictures, and pages for contributors. */
const FOLDERS = ["docs", "docs/platform-api"];

/** Pages that only the Pulumi Registry shows. */
const REGISTRY = ["docs/_index.md", "docs/installation-configuration.md"];

const documentsOfGuide = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(".md") ? `${folder}/${name}` : [])),
  ).filter((path) => !REGISTRY.includes(path));

/**
 * Returns all pages of the website and its two navigations.
 * @param documents The pages in docs/, each of which must be in the navigation.
 */
export function websitePages(documents = documentsOfGuide()) {
  const guide = guideGroups();
  guide[0]?.pages.unshift(page("README.md"), page(LIST));
  const reference = [
    ...schemaGroups(),
    { text: "TypeScript", pages: typescriptPages() },
    { text: "Python", pages: [pythonPage()] },
  ];
  const groups = [...guide, ...reference];
  assertComplete(groups, documents);
  const navigation = guide.map(toSidebar);
  const overviews = [
    { text: "Resources and functions", link: "/schema/" },
    { text: "TypeScript reference", link: "/reference/" },
    { text: "Python reference", link: "/schema/python" },
  ];
  navigation.find(({ text }) => text === "Reference")?.items.unshift(...overviews);
  return { pages: groups.flatMap(({ pages }) => pages), guide: navigation, reference: reference.map(toSidebar) };
}

const toSidebar = ({ text, pages }: PageGroup) => ({
  text,
  items: pages.map(({ title, path }) => ({ text: title, link: `/${path}` })),
});

function assertComplete(groups: readonly PageGroup[], documents: readonly string[]) {
  const sources = new Set(groups.flatMap(({ pages }) => pages.map(({ source }) => source)));
  const missing = documents.filter((source) => !sources.has(source));
  if (missing.length === 0) return;
  throw new Problem(`${missing.join(", ")}: not in the navigation. Add a link to ${LIST}.`);
}

/** Returns the names of a picture and of its forms for phones and dark pages, which need not exist. */
const formsOfPicture = (target: string) =>
  target.startsWith("docs/images/")
    ? ["", "-narrow", "-dark", "-narrow-dark"].map((suffix) => target.replace(/(?=\.\w+$)/, suffix))
    : [target];

/** Returns the other files of the repository that pages show or link to, which the website contains as they are. */
export function linkedFiles(pages: readonly Page[]): string[] {
  const targets = pages.flatMap(({ source, text }) =>
    [...text.matchAll(/\]\(([^()\s#:]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) =>
      posix.join(posix.dirname(source), target),
    ),
  );
  const isFile = (target: string) => {
    const path = join(ROOT, target);
    return !target.endsWith(".md") && !target.startsWith("..") && existsSync(path) && statSync(path).isFile();
  };
  return [...new Set(targets.flatMap(formsOfPicture))].filter(isFile);
}
