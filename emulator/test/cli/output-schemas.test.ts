/** The JSON of every command has the form of its schema: support/command.ts compares it; here it is shown to fail. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { assertOutput } from "../support/output-schema";

const counts = { ended: [], frozen: true, jobs_run: 1, now: "2026-01-31T00:00:00Z", speed: 1 };
const advanced = { version: 1, url: "http://127.0.0.1:7420", ...counts };

test.each([
  ["lacks a field", { ...advanced, jobs_run: undefined }],
  ["has a field that the schema lacks", { ...advanced, more: 1 }],
  ["has a value of another type", { ...advanced, frozen: "yes" }],
  ["has another version", { ...advanced, version: 2 }],
])("an output that %s is detected", (_, output) => {
  const args = ["advance", "1s", "--json"];
  expect(() => assertOutput(args, JSON.stringify(output))).toThrow("the output differs from its schema");
  expect(() => assertOutput(args, JSON.stringify(advanced))).not.toThrow();
});

test("each line of a log is compared", () => {
  const line = { id: 1, time: "2026-01-31T00:00:00Z", revision_id: "r", type: "build", level: "INFO", message: "ok" };
  const args = ["logs", "--deployment", "agent", "--json"];
  const print = (...lines: object[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join("");
  expect(() => assertOutput(args, print(line, line))).not.toThrow();
  expect(() => assertOutput(args, print(line, { ...line, level: 1 }))).toThrow("the output differs from its schema");
});

test("every schema describes a command", () => {
  const names = readdirSync(join(__dirname, "../../schemas")).map((name) => name.split(/[-.]/)[0]);
  expect([...new Set(names)]).toEqual(["advance", "faults", "logs", "reset", "start", "status", "stop"]);
});
