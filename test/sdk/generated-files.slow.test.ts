/** What `npm run generate` writes is committed. The form of JSON is that of the formatter, which checks every file. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");
const FILES = [
  ...["sdk/nodejs/index.ts", "sdk/nodejs/native/index.ts"],
  ...["sdk/nodejs/resources.ts", "sdk/nodejs/functions.ts", "sdk/nodejs/enums.ts", "sdk/nodejs/components/args.ts"],
  ...["provider/index.ts", "cli/adopt/kinds.ts", "plugin/schema.json"],
  ...["docs/platforms.md", "docs/_index.md", "docs/errors.json", "docs/settings.json"],
  ...["docs/schemas", "emulator/schemas"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
];

const print = [join(root, "scripts/run.mjs"), "generate", ...FILES.flatMap((file) => ["--print", file])];
const printed = execFileSync(process.execPath, print, { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");

const withoutForm = (json: string) => JSON.stringify(JSON.parse(json), undefined, 2);

it.each(FILES.map((file, index) => [file, printed[index]]))("%s is up to date", (file = "", input = "") => {
  const committed = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".json")) return expect(withoutForm(committed)).toBe(withoutForm(input));
  const format = ["check", "--write", `--stdin-file-path=${file}`];
  const biome = () =>
    execFileSync(join(root, "node_modules/.bin/biome"), format, { cwd: root, encoding: "utf8", input });
  expect(committed).toBe(file.endsWith(".md") ? input : biome());
});
