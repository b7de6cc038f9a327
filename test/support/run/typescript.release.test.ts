import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./typescript.cjs";

const ROOT = join(__dirname, "../../..");

/** Folders of the packages, and where `npm run build` compiles them to. */
const FOLDERS = {
  sdk: "dist/sdk",
  provider: "dist/provider",
  cli: "dist/cli",
  plugin: "dist/plugin",
  "emulator/src": "emulator/dist",
};

it.each(Object.entries(FOLDERS))("tests run the code of %s that is shipped", (folder, dist) => {
  const names = globSync("**/*.ts", { cwd: join(ROOT, folder) });
  expect(names).not.toEqual([]);
  const differing = names.filter((name) => {
    const path = join(ROOT, folder, name);
    const shipped = readFileSync(join(ROOT, dist, name.replace(/ts$/, "js")), "utf8");
    return compile(readFileSync(path, "utf8"), path).code !== shipped;
  });
  expect(differing).toEqual([]);
});

it("an error of a test shows the line of the TypeScript file", () => {
  interface Unused {
    line: string;
  }
  const lines: Unused[] = readFileSync(__filename, "utf8")
    .split("\n")
    .map((line) => ({ line }));
  const { stack } = new Error("thrown here");
  const [line] = stack?.split(`(${__filename}:`)[1]?.split(":") ?? [];
  expect(lines[Number(line) - 1]?.line).toContain('new Error("thrown here")');
});

it("a file that is not TypeScript is rejected with its name and line", () => {
  expect(() => compile("const a = 1;\nconst = 2;", join(ROOT, "sdk/broken.ts"))).toThrow(/sdk\/broken\.ts\(2,7\)/);
});
