import { spawnSync } from "node:child_process";
import { ROOT, textOf } from "../docs/support/markdown";

const REPORT = "docs/internal/api.md";

test("docs/internal/api.md contains the public types; after a change, `npm run generate` updates it", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", "generate", "--check-api"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the report contains what programs use, and no private members", () => {
  const report = textOf(REPORT);
  for (const name of ["export interface BulkExportArgs", "export const Deployment:", "export const getDeployment:"])
    expect(report).toContain(name);
  expect(report).not.toMatch(/^ *private /m);
});
