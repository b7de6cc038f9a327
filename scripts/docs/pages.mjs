/** The pages of the website: which files they come from, their addresses, and their order in the navigation. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { schemaGroups } from "./schema-pages.mjs";

/** Documents outside docs/, with their address and their title in the navigation. */
const OTHERS = {
  "README.md": ["overview.md", "Overview"],
  "CHANGELOG.md": ["changelog.md", "Changelog"],
  "CONTRIBUTING.md": ["contributing.md", "Contributing"],
  "emulator/README.md": ["emulator-reference.md", "Emulator reference"],
  "scripts/README.md": ["scripts.md", "Commands and set-up"],
};

const PROJECT = [
  "CONTRIBUTING.md",
  "scripts/README.md",
  "docs/design-decisions.md",
  "docs/coverage.md",
  "docs/figures.md",
];

const read = (source) => readFileSync(join(ROOT, source), "utf8");

/** A page from a file of the repository. */
function page(source) {
  const text = read(source);
  const [path, title] = OTHERS[source] ?? [source.replace("docs/", ""), /^# (.+)$/m.exec(text)[1]];
  return { path, title, text, source, edit: `edit/main/${source}` };
}

/** Returns the groups of the README's list of pages, in its order: "1. Start: [getting started](docs/…)". */
function guideGroups() {
  const [, list] = read("README.md").split("\n## Documentation\n");
  return list
    .split(/^\d+\. /m)
    .slice(1)
    .map((item) => ({
      text: /^\w+/.exec(item)[0],
      pages: [...item.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, source]) => page(source)),
    }));
}

/** The modules that TypeDoc writes to docs/reference, with their titles and the sources of their comments. */
const MODULES = [
  ["index", "Package", "sdk"],
  ["resources", "Types of resources", "provider/resources"],
  ["functions", "Types of functions", "provider/functions"],
];

function typescriptPages() {
  return MODULES.map(([module, title, folder]) => {
    const source = `docs/reference/${module}.md`;
    // TypeDoc begins with a link to its own index and the name of the module.
    const text = read(source).replace(/^.*\n\n# .*/, `# ${title}`);
    return { path: `reference/${module}.md`, title, text, source, edit: `tree/main/${folder}` };
  });
}

const documentsOfGuide = () =>
  readdirSync(join(ROOT, "docs")).flatMap((name) => (name.endsWith(".md") ? `docs/${name}` : []));

/**
 * Returns all pages of the website and its two navigations.
 *
 * @param documents The files of docs/, each of which must be a page.
 */
export function websitePages(documents = documentsOfGuide()) {
  const guide = guideGroups();
  guide[0].pages.unshift(page("README.md"));
  guide.at(-1).pages.push(page("emulator/README.md"));
  guide.push({ text: "Project", pages: PROJECT.map(page) });
  const reference = [...schemaGroups(), { text: "TypeScript", pages: typescriptPages() }];
  const groups = [...guide, ...reference];
  assertComplete(groups, documents);
  const navigation = guide.map(toSidebar);
  const overviews = [
    { text: "Resources and functions", link: "/schema/" },
    { text: "TypeScript reference", link: "/reference/" },
  ];
  navigation.find(({ text }) => text === "Reference").items.unshift(...overviews);
  return {
    pages: groups.flatMap(({ pages }) => pages),
    guide: navigation,
    reference: reference.map(toSidebar),
  };
}

const toSidebar = ({ text, pages }) => ({
  text,
  items: pages.map(({ title, path }) => ({ text: title, link: `/${path}` })),
});

function assertComplete(groups, documents) {
  const sources = new Set(groups.flatMap(({ pages }) => pages.map(({ source }) => source)));
  const missing = documents.filter((source) => !sources.has(source));
  if (missing.length === 0) return;
  throw new Problem(
    `${missing.join(", ")}: not in the navigation. Add a link to the list "Documentation" of README.md, or a line to PROJECT in scripts/docs/pages.mjs.`,
  );
}

/** Returns the other files of the repository that pages show or link to, which the website contains as they are. */
export function linkedFiles(pages) {
  const targets = pages.flatMap(({ source, text }) =>
    [...text.matchAll(/\]\(([^()\s#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => posix.join(posix.dirname(source), target)),
  );
  const isFile = (target) => {
    const path = join(ROOT, target);
    return !target.endsWith(".md") && !target.startsWith("..") && existsSync(path) && statSync(path).isFile();
  };
  return [...new Set(targets)].filter(isFile);
}
