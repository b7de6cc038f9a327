/** TypeDoc generates the reference from the types and their comments without warnings. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./support/markdown";

jest.setTimeout(120_000);

test("`npm run docs` writes the descriptions of fields without warnings", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-reference-"));
  try {
    // typedoc.json makes a warning an error.
    const typedoc = join(ROOT, "node_modules/typedoc/bin/typedoc");
    const { stderr } = await promisify(execFile)(process.execPath, [typedoc, "--out", folder], { cwd: ROOT });
    expect(stderr).toBe("");
    const page = await readFile(join(folder, "interfaces/resources.ExternalDockerDeploymentArgs.md"), "utf8");
    expect(page).toContain("A container image from a registry");
    expect(page).toContain("A change creates a revision.");
    const functions = await readFile(join(folder, "interfaces/functions.GetDeployment.md"), "utf8");
    expect(functions).toContain("[Functions](../../functions.md)");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
