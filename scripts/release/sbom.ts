/**
 * `node scripts/release/sbom.ts FOLDER`: writes what each npm package depends on, in CycloneDX. npm lists all
 * workspaces, and names a component after its folder, so each gets a folder without the others.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [target = "."] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "agentgraph-sbom-"));
mkdirSync(target, { recursive: true });

for (const source of [".", "emulator"]) {
  const manifest = JSON.parse(readFileSync(join(root, source, "package.json"), "utf8"));
  const { name, version, license, dependencies } = manifest;
  const folder = join(temporary, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, license, dependencies }));
  const npm = (...args: string[]) =>
    execFileSync("npm", [...args, "--package-lock-only"], { cwd: folder, encoding: "utf8" });
  npm("install", "--ignore-scripts");
  const { serialNumber: _, ...bom } = JSON.parse(npm("sbom", "--sbom-format", "cyclonedx"));
  // Both are optional, and differ in each build.
  delete bom.metadata.timestamp;
  writeFileSync(join(target, `${name}.cdx.json`), `${JSON.stringify(bom, null, 2)}\n`);
}
rmSync(temporary, { recursive: true });
