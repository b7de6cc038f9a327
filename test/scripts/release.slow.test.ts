/**
 * The scripts of the release workflow; test/e2e/packages/own-workflows.release.test.ts runs its steps. Publishing
 * itself has never been run.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import pkg from "../../package.json";
import { ROOT, textOf } from "../docs/support/markdown";

function runScript(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts/release", name), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("all packages have the version of package.json, which is that of the tag", () => {
  expect(runScript("check-version.ts", `v${pkg.version}`)).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("a tag with another version is rejected, with each file that differs", () => {
  const { status, stderr } = runScript("check-version.ts", "v9.9.9");
  expect(status).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(9);
  expect(stderr).toContain(`package.json has the version ${pkg.version}, and the tag is v9.9.9.`);
});

test("the notes of a release are its section of the changelog", () => {
  const { status, stdout } = runScript("notes.ts", "v0.1.0");
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/^## /m);
  expect(textOf("CHANGELOG.md")).toContain(stdout.trim());
});

test("a version without a section in the changelog is not released", () => {
  expect(runScript("notes.ts", "v9.9.9")).toMatchObject({ status: 1, stderr: expect.stringContaining('"## 9.9.9"') });
});
