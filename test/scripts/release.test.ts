/** The scripts of the release workflow. Publishing itself has never been run. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import emulator from "../../emulator/package.json";
import pkg from "../../package.json";
import { ROOT, textOf } from "../docs/support/markdown";

function runScript(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts/release", name), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-release-"));
  folders.push(folder);
  return folder;
}

test("all packages have the version of package.json, which is that of the tag", () => {
  expect(runScript("check-version.mjs", `v${pkg.version}`)).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("a tag with another version is rejected, with each file that differs", () => {
  const { status, stderr } = runScript("check-version.mjs", "v9.9.9");
  expect(status).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(8);
  expect(stderr).toContain(`package.json has the version ${pkg.version}, and the tag is v9.9.9.`);
});

test("the notes of a release are its section of the changelog", () => {
  const { status, stdout } = runScript("notes.mjs", "v0.1.0");
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/^## /m);
  expect(textOf("CHANGELOG.md")).toContain(stdout.trim());
});

test("a version without a section in the changelog is not released", () => {
  expect(runScript("notes.mjs", "v9.9.9")).toMatchObject({ status: 1, stderr: expect.stringContaining('"## 9.9.9"') });
});

test("the checksums of a release name its files, and not the notes", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "release"));
  for (const name of ["a.tgz", "b.whl", "NOTES.md"]) writeFileSync(join(folder, "release", name), name);
  const { jobs } = parse(textOf(".github/workflows/release.yml"));
  const { run } = jobs.publish.steps.find(({ name }: { name?: string }) => name === "Write the checksums");
  expect(spawnSync("bash", ["-ec", run], { cwd: folder, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  const sum = (name: string) => `${createHash("sha256").update(name).digest("hex")}  ${name}\n`;
  expect(readFileSync(join(folder, "release/SHA256SUMS"), "utf8")).toBe(sum("a.tgz") + sum("b.whl"));
});

test("the SBOM of each package lists what it depends on, and nothing else", () => {
  const folder = temporaryFolder();
  expect(runScript("sbom.mjs", folder)).toMatchObject({ status: 0 });
  for (const { name, version, dependencies } of [pkg, emulator]) {
    const sbom = JSON.parse(readFileSync(join(folder, `${name}.cdx.json`), "utf8"));
    expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name, version } } });
    const names: string[] = sbom.components.map((component: { name: string }) => component.name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names.filter((other) => other in pkg.devDependencies)).toEqual([]);
  }
});
