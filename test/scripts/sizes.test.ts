/** `npm run check -- --sizes`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../../emulator/test/support/folder";

const ROOT = join(__dirname, "../..");

test("A size above its limit is marked, and the command fails; what git does not know does not count", () => {
  const folder = newFolder();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const names = Object.keys(JSON.parse(readFileSync(join(ROOT, "scripts/checks/sizes.json"), "utf8")));
  const bounds = Object.fromEntries(
    names.map((name) => [name, { limit: name === "lines of provider" ? 1 : 9, target: 0 }]),
  );
  write("scripts/checks/sizes.json", JSON.stringify(bounds));
  write("provider/one.ts", "const one = 1;\nconst two = 2;\n");
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  execFileSync("git", ["add", "."], { cwd: folder });
  write("provider/unknown.ts", "\n\n\n");
  const script = `const { printSizes } = await import(${JSON.stringify(`file://${ROOT}/scripts/checks/sizes.ts`)});
    console.log(printSizes(${JSON.stringify(folder)}))`;
  const args = ["--input-type=module", "-e", script];
  const lines = execFileSync(process.execPath, args, { stdio: "pipe", encoding: "utf8" }).trim().split("\n");
  expect(lines.at(-1)).toBe("1");
  expect(lines.filter((line) => line.endsWith("TOO LARGE")).join()).toMatch(
    /^lines of provider +2 +1 +0 {2}TOO LARGE$/,
  );
});
