/** The text of plugin/schema.json: the package schema, from which SDKs and the documentation of a registry are generated. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

const { packageSchema } = createRequire(import.meta.url)("../../dist/plugin/schema/package.js");

const metadata = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
// A release sets where its plugin is published, unless that is its repository on GitHub.
export const text = JSON.stringify(packageSchema(metadata, examplesOf, process.env.PLUGIN_DOWNLOAD_URL));

/** Returns the examples of a kind of resource in the form from which a registry, and each SDK, shows one language. */
function examplesOf(kind) {
  const page = readFileSync(join(ROOT, `plugin/schema/examples/${kind}.md`), "utf8");
  const [usage, ...imports] = page.trim().split(/^(?=## Import$)/m);
  const examples = usage.split(/^(?=### )/m).map((example) => `{{% example %}}\n${example.trim()}\n{{% /example %}}`);
  return ["## Example Usage", "", "{{% examples %}}", ...examples, "{{% /examples %}}", "", ...imports]
    .join("\n")
    .trim();
}
