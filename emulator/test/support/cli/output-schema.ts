/** Compares what commands print with --json with the schemas in the package. Fields that these lack are rejected. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

function schemaOf([name = "", action = "", ...others]: readonly string[]): z.ZodType {
  const variants = [
    ...(name === "faults" && action === "add" ? ["add"] : []),
    ...(name === "faults" && ["remove", "clear"].includes(action) ? ["remove"] : []),
    ...(name === "logs" && [action, ...others].includes("--deployment") ? ["deployment"] : []),
  ];
  const path = join(__dirname, "../../../schemas", `${[name, ...variants].join("-")}.schema.json`);
  return z.fromJSONSchema(JSON.parse(readFileSync(path, "utf8")));
}

/** @throws when a command printed JSON that differs from its schema; that of `logs` is one object per line. */
export function assertOutput(args: readonly string[], stdout: string): void {
  if (!args.includes("--json") || !stdout.startsWith("{")) return;
  const schema = schemaOf(args);
  for (const text of args[0] === "logs" ? stdout.trimEnd().split("\n") : [stdout]) {
    const { error } = schema.safeParse(JSON.parse(text));
    if (error) throw new Error(`${args.join(" ")}: the output differs from its schema.\n${error.message}`);
  }
}
