/** Pulumi accepts the package schema: SDKs of all languages can be generated from it. */
import { execFile } from "node:child_process";
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
