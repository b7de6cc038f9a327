/**
 * A checkout on Windows as a source: git writes it here with the settings of Git for Windows, and without executable
 * bits. No test has run on Windows itself.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  createWriteStream,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { computeDigest, withTarball } from "../../../../../provider/resources/deployment/source/source-folder";
import { createFolder } from "../../../../support/deployments/source-folder";

function git(cwd: string, ...args: string[]): void {
  const user = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
  const env = { ...process.env, ...user, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  execFileSync("git", args, { cwd, env, stdio: "ignore" });
}

/** Returns the same commit as Linux and as Windows check it out. */
function checkouts(): { linux: string; windows: string } {
  const origin = createFolder({
    ".gitattributes": "*.bat text eol=crlf\n*.raw -text\n",
    "agent/main.py": "first\nsecond\n",
    "agent/start.sh": "#!/bin/sh\nexec python main.py\n",
    "agent/run.bat": "echo 1\necho 2\n",
    "agent/kept.raw": "a\nb\n",
    "agent/committed.txt": "a\r\nb\r\n",
    "agent/Ünïcode name.txt": "a\n",
    "agent/.gitignore": "*.log\n",
  });
  writeFileSync(join(origin, "agent/image.png"), Buffer.from([0, 13, 10, 255, 10]));
  chmodSync(join(origin, "agent/start.sh"), 0o755);
  symlinkSync("main.py", join(origin, "agent/alias.py"));
  git(origin, "init", "-q", "--template=");
  git(origin, "add", "--all");
  git(origin, "commit", "-q", "-m", "files");
  const clone = (...config: string[]) => {
    const folder = createFolder();
    git(folder, "clone", "-q", "--template=", ...config.flatMap((one) => ["-c", one]), origin, "clone");
    return join(folder, "clone/agent");
  };
  const [linux, windows] = [clone(), clone("core.autocrlf=true", "core.symlinks=false", "core.fileMode=false")];
  for (const name of readdirSync(windows)) chmodSync(join(windows, name), 0o644);
  return { linux, windows };
}

/** Unpacks the tarball of a folder with the system's tar. @returns The mode and the content of each file. */
async function packed(folder: string, platform: string): Promise<string[]> {
  const target = createFolder();
  const file = join(target, "source.tar.gz");
  await withTarball(folder, ({ open }) => pipeline(open(), createWriteStream(file)), platform);
  const out = join(createFolder({ "out/.keep": "" }), "out");
  execFileSync("tar", ["-xzpf", file, "-C", out]);
  return readdirSync(out)
    .sort()
    .filter((name) => name !== ".keep")
    .map((name) => `${name} ${lstatSync(join(out, name)).mode.toString(8)} ${readFileSync(join(out, name), "hex")}`);
}

test("a checkout on Windows has the digest and the tarball of one on Linux", async () => {
  const { linux, windows } = checkouts();
  expect(readFileSync(join(windows, "main.py"), "utf8")).toBe("first\r\nsecond\r\n");
  expect(lstatSync(join(windows, "alias.py")).isFile()).toBe(true);
  const digest = await computeDigest(linux, undefined, "linux");
  expect(await computeDigest(windows, undefined, "linux")).not.toBe(digest);
  expect(await computeDigest(windows, undefined, "win32")).toBe(digest);
  expect(await computeDigest(linux, undefined, "win32")).toBe(digest);
  expect(await packed(windows, "win32")).toEqual(await packed(linux, "linux"));
});

test("a change on Windows changes the digest, and files that git does not track keep their bytes", async () => {
  const { windows } = checkouts();
  const before = await computeDigest(windows, undefined, "win32");
  writeFileSync(join(windows, "main.py"), "first\r\nchanged\r\n");
  expect(await computeDigest(windows, undefined, "win32")).not.toBe(before);
  writeFileSync(join(windows, "new.txt"), "a\r\n");
  expect((await packed(windows, "win32")).find((line) => line.startsWith("new.txt"))).toBe("new.txt 100644 610d0a");
  writeFileSync(join(windows, "kept.raw"), "a\r\nb\r\n");
  expect((await packed(windows, "win32")).find((line) => line.startsWith("kept.raw"))).toBe(
    "kept.raw 100644 610d0a620d0a",
  );
});

test("a folder outside of a repository is read as it is", async () => {
  const folder = createFolder({ "a.txt": "a\r\n" });
  expect(await computeDigest(folder, undefined, "win32")).toBe(await computeDigest(folder, undefined, "linux"));
});

test("a link of Windows has slashes", async () => {
  const [linux, windows] = [createFolder({ "a/b.txt": "" }), createFolder({ "a/b.txt": "" })];
  symlinkSync("a/b.txt", join(linux, "link"));
  symlinkSync("a\\b.txt", join(windows, "link"));
  expect(await computeDigest(windows, undefined, "win32")).toBe(await computeDigest(linux, undefined, "linux"));
});
