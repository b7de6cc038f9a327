/** What `npm run generate` writes is committed. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");

it.each(["sdk/nodejs/resources.ts", "sdk/nodejs/functions.ts", "sdk/nodejs/native/index.ts", "plugin/schema.json"])(
  "%s is up to date",
  (file) => {
    const print = [join(root, "scripts/generate.mjs"), "--print", file];
    const formatted = execFileSync(
      join(root, "node_modules/.bin/biome"),
      ["check", "--write", `--stdin-file-path=${file}`],
      {
        cwd: root,
        encoding: "utf8",
        input: execFileSync(process.execPath, print, { encoding: "utf8" }),
      },
    );
    expect(readFileSync(join(root, file), "utf8")).toBe(formatted);
  },
);
