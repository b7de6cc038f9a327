/** The text of plugin/schema.json: the package schema, from which SDKs and the documentation of a registry are generated. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

const { packageSchema } = createRequire(import.meta.url)("../../dist/plugin/schema/package.js");

const metadata = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
export const text = JSON.stringify(packageSchema(metadata, () => ""));
