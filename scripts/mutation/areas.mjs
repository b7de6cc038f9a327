/**
 * What is mutated, and which tests must detect it. Stryker runs the tests of a mutant from the beginning for each one, so
 * a file is tested by the test of the same name, and without one by those of its area.
 */
import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

/** Sources, and the folders of their tests, relative to the root of the checkout. `also`: further tests of a source. */
export const AREAS = {
  plan: {
    sources: ["provider/plan/*.ts"],
    tests: "test/provider/plan",
    also: { "provider/plan/check.ts": "test/provider/resources/**/validation.test.ts" },
  },
  http: { sources: ["provider/http/*.ts"], tests: "test/provider/http" },
  deployment: {
    sources: ["provider/resources/deployment.ts", "provider/resources/deployment/**/*.ts"],
    tests: "test/provider/resources/deployment",
  },
  thread: {
    sources: ["provider/resources/thread.ts", "provider/resources/thread/*.ts"],
    tests: "test/provider/resources/thread",
  },
  exports: {
    sources: ["provider/resources/*bulk-export*.ts", "provider/resources/*bulk-export*/*.ts"],
    tests: "test/provider/resources/shared/bulk-exports",
  },
  emulator: { sources: ["emulator/src/control-plane/model/*.ts"], tests: "emulator/test/control-plane/model" },
  validation: { sources: ["emulator/src/runtime/validation/*.ts"], tests: "emulator/test/runtime" },
};

/** Returns the runs of an area: the files to mutate, and the patterns of the tests that must detect it. */
export function runsOf(area, file) {
  const { sources, tests, also = {} } = AREAS[area];
  const files = globSync(sources, { cwd: ROOT }).filter((path) => file === undefined || path === file);
  const ownTest = (path) => `${tests}/${basename(path, ".ts")}.test.ts`;
  const alone = files.filter((path) => existsSync(join(ROOT, ownTest(path))));
  const rest = files.filter((path) => !alone.includes(path));
  return [
    ...alone.map((path) => ({ mutate: [path], tests: [ownTest(path), also[path] ?? []].flat() })),
    ...(rest.length > 0 ? [{ mutate: rest, tests: [`${tests}/**/*.test.ts`] }] : []),
  ];
}
