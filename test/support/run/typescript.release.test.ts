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

/** Without assignments to exports, for which the compiler of the build and that of Jest write different lines. */
const bodyOf = (code: string) => code.replace(/^(?:var _a\b|.*\bexports\.\w+).*\n/gm, "");

it.each(Object.entries(FOLDERS))("tests run the code of %s that is shipped", (folder, dist) => {
  const names = globSync("**/*.ts", { cwd: join(ROOT, folder) });
  expect(names).not.toEqual([]);
  const differing = names.filter((name) => {
    const path = join(ROOT, folder, name);
    const shipped = readFileSync(join(ROOT, dist, name.replace(/ts$/, "js")), "utf8");
    return bodyOf(compile(readFileSync(path, "utf8"), path).code) !== bodyOf(shipped);
  });
  expect(differing).toEqual([]);
});
