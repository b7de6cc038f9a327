/** Pulumi accepts the package schema: SDKs of all languages can be generated from it. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const file = join(__dirname, "../../../plugin/schema.json");
const check = (path: string) =>
  promisify(execFile)("pulumi", ["schema", "check", path], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
  });

it("The command `pulumi schema check` accepts the schema without warnings", async () => {
  expect(await check(file)).toEqual({ stdout: "", stderr: "" });
});

it("The command `pulumi schema check` rejects a schema whose types are missing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-schema-"));
  try {
    const schema = JSON.parse(await readFile(file, "utf8"));
    const path = join(folder, "schema.json");
    await writeFile(path, JSON.stringify({ ...schema, types: {} }));
    await expect(check(path)).rejects.toThrow("agentgraph:index:");
  } finally {
    await rm(folder, { recursive: true });
  }
});
