/** The text of plugin/schema.json, from which SDKs and the documentation of a registry are generated. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../../dist/plugin/schema/package.js";
import type { PackageSpec } from "../../dist/plugin/schema/spec.js";
import { ROOT } from "../setup/paths.mjs";
import { examplesOf } from "./examples/index.ts";

const metadata = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
// A release sets where its plugin is published, unless that is its repository on GitHub.
const schemaWith = (examples: (name: string) => string): PackageSpec =>
  packageSchema(metadata, examples, process.env.PLUGIN_DOWNLOAD_URL);

const types = schemaWith(() => "");
export const schema = schemaWith((name) => examplesOf(name, types));
export const text = JSON.stringify(schema);
