/** `agentgraph doctor` compares installed files with the checksums of their release. */
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkFiles, checkPluginFiles } from "../../../cli/doctor/program/files";
import { newFolder } from "../../../emulator/test/support/folder";

let folder: string;
const FILES = { LICENSE: "a license", "dist/main.js": "code", "docs/README.md": "text" };

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const LIST = Object.entries(FILES)
  .map(([name, text]) => `${sha256(text)}  ${name}\n`)
  .join("");

beforeEach(() => {
  folder = newFolder();
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  write("files.sha256", LIST);
});

const check = () => checkFiles("pulumi-agentgraph 1.2.3", folder);

test("files of a release are named with their number and the checksum of the list", async () => {
  const message = `pulumi-agentgraph 1.2.3: 3 files are those of the release; sha256 of files.sha256: ${sha256(LIST)}`;
  expect(await check()).toEqual({ id: "files", status: "ok", message });
});

test("what package managers and Node write beside the files is ignored", async () => {
  write("node_modules/zod/index.js", "");
  write("build/plugin/cache/v24/code", "");
  expect((await check()).status).toBe("ok");
});

test("a changed, a missing and an added file are named, with what to do", async () => {
  appendFileSync(join(folder, "dist/main.js"), " ");
  rmSync(join(folder, "docs/README.md"));
  write("dist/other.js", "");
  expect(await check()).toEqual({
    id: "files",
    status: "fix",
    message:
      "pulumi-agentgraph 1.2.3: not as in the release: dist/main.js (changed), dist/other.js (added), " +
      "docs/README.md (missing)",
    remedy: `Find out what changed them, delete ${folder} and install it again.`,
  });
});

test("of many differences, five are named", async () => {
  for (const name of ["a", "b", "c", "d", "e", "f", "g"]) write(name, "");
  expect((await check()).message).toMatch(/: a \(added\), .*, e \(added\), and 2 more$/);
});

test("a clone has no list to compare with", async () => {
  rmSync(join(folder, "files.sha256"));
  expect(await check()).toMatchObject({ id: "files", status: "note" });
});

test.each([".", "build/plugin"])("a plugin whose list is above its folder %s is compared with it", async (path) => {
  write("build/plugin/x", "");
  const [found] = await checkPluginFiles({ exists: true, where: "", folder: join(folder, path), version: "1.2.3" });
  expect(found?.message).toBe("plugin agentgraph 1.2.3: not as in the release: build/plugin/x (added)");
});
