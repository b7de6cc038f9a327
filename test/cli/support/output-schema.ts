/** Compares what commands print with --json with the JSON Schemas of the package, which reject other fields. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const DOCS = join(__dirname, "../../../docs");

/** Returns the schema of the output of a command; undefined where there is none. */
export function outputSchemaOf(args: readonly string[]): z.ZodType | undefined {
  const [name = ""] = args;
  const file = args.includes("--check") ? `${name}-check` : name;
  const path = [`schemas/${file}.schema.json`, `${file}.schema.json`].map((one) => join(DOCS, one)).find(existsSync);
  return path === undefined ? undefined : z.fromJSONSchema(JSON.parse(readFileSync(path, "utf8")));
}

/** @throws when a command printed JSON that differs from its schema. */
export function assertOutput(args: readonly string[], stdout: string): void {
  if (!args.includes("--json") || !stdout.startsWith("{")) return;
  const { error } = outputSchemaOf(args)?.safeParse(JSON.parse(stdout)) ?? {};
  if (error) throw new Error(`agentgraph ${args.join(" ")}: the output differs from its schema.\n${error.message}`);
}
