/** The text of plugin/schema.json: the package schema, from which SDKs and the documentation of a registry are generated. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../../dist/plugin/schema/package.js";
import { ROOT } from "../setup/paths.mjs";

const metadata = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
// A release sets where its plugin is published, unless that is its repository on GitHub.
export const schema = packageSchema(metadata, examplesOf, process.env.PLUGIN_DOWNLOAD_URL);
export const text = JSON.stringify(schema);

/** Returns the examples of a kind of resource in the form from which a registry, and each SDK, shows one language. */
function examplesOf(kind: string) {
  const page = readFileSync(join(ROOT, `plugin/schema/examples/${kind}.md`), "utf8");
  const [usage = "", ...imports] = page.trim().split(/^(?=## Import$)/m);
  const examples = usage.split(/^(?=### )/m).map((example) => `{{% example %}}\n${example.trim()}\n{{% /example %}}`);
  return ["## Example Usage", "", "{{% examples %}}", ...examples, "{{% /examples %}}", "", ...imports]
    .join("\n")
    .trim();
}
