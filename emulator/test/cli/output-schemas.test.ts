/** The JSON of every command has the form of its schema: support/command.ts compares it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

test("every schema describes a command", () => {
  const names = readdirSync(join(__dirname, "../../schemas")).map((name) => name.split(/[-.]/)[0]);
  expect([...new Set(names)]).toEqual(["advance", "faults", "logs", "reset", "start", "status", "stop"]);
});
