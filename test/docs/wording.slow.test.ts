/**
 * Documentation, comments and printed texts use the words that readers expect: support/wording.ts lists those that they
 * do not.
 */
import { codeProse, filesIn, type Line, markdownProse } from "./support/prose";
import { RULES } from "./support/wording";

const DOCUMENTS = [
  ...["docs", "README.md", "CONTRIBUTING.md", "AGENTS.md", "skills", "CHANGELOG.md", "emulator/README.md"],
  ...["examples/README.md", "examples/fleet/README.md", "acceptance/README.md", "scripts/README.md"],
];
/** Folders whose comments and texts are checked. */
const SOURCES = [
  ...["acceptance", "examples", "cli", "plugin", "scripts", "sdk", "emulator/src", "emulator/page", "emulator/test"],
  ...["test/chaos", "test/cli"],
  ...["test/docs", "test/e2e", "test/old-states", "test/provider", "test/scripts", "test/sdk", "test/support"],
  ...["api", "definition", "engine", "functions", "http", "plan", "resources", "schema", "settings", "text"].map(
    (folder) => `provider/${folder}`,
  ),
];
/** The list of words itself. */
const EXCLUDED = new Set(["test/docs/support/wording.ts", "test/docs/wording.slow.test.ts"]);

const violations = (lines: readonly Line[]) =>
  lines.flatMap(({ location, text }) =>
    RULES.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(text) ?? [];
      return found === undefined ? [] : [`${location}: "${found}": write ${instead}`];
    }),
  );

const pages = DOCUMENTS.flatMap((path) => filesIn(path, [".md"])).filter((file) => !EXCLUDED.has(file));

test.each(pages)("%s uses the words that readers expect", (file) => {
  expect(violations(markdownProse(file))).toEqual([]);
});

test.each(SOURCES)("comments and texts in %s use the words that readers expect", (folder) => {
  const files = filesIn(folder, [".ts", ".tsx", ".mts", ".mjs"]).filter((file) => !EXCLUDED.has(file));
  const lines = files.flatMap((file) => codeProse(file));
  expect(lines.length > 0).toBe(files.length > 0);
  expect(violations(lines)).toEqual([]);
});
