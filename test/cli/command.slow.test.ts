/** The command line: help, exit codes, and errors for invalid arguments. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../emulator/test/support/folder";
import { agentgraph, COMMAND, type Ended } from "./support/command";
import { digest, image } from "./support/previews";

const replaced = digest([{ op: "replace", before: image("1"), after: { ...image("1"), name: "b" } }]);

test("--help shows the subcommands and their exit codes", async () => {
  const names = ["review", "adopt", "doctor", "init", "requests", "types", "backup", "restore", "verify"];
  const [whole, ...each] = (await Promise.all(
    [[], ...names.map((name) => [name])].map((args) => agentgraph({ args: [...args, "--help"] })),
  )) as [Ended, Ended, Ended, Ended];
  const [review, adopt, doctor] = each;
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  for (const text of ["doctor", "review", "Exit codes:\n  0  success"]) expect(whole.stdout).toContain(text);
  for (const { stdout } of [whole, ...each]) expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const effects = /Effects for --fail-on.*?\n(.*?)\n\n/s.exec(review.stdout)?.[1]?.split("\n") ?? [];
  expect(new Set(effects.map((line) => line.search(/(?<=^ {2}\S+ +)\S/)))).toEqual(new Set([21]));
  for (const { stdout } of each) expect(stdout).toContain("Exit codes:\n  0  success");
  expect(review.stdout).toContain("  1  the preview failed, or an effect of --fail-on occurs\n");
  expect(adopt.stdout).toContain("  1  nothing to adopt, or a request failed\n");
  expect(doctor.stdout).toContain("  1  problems to fix\n");
});

test("invalid arguments exit with code 2 and a suggestion", async () => {
  const mistakes: [string[], string][] = [
    [["revew"], "Did you mean review?"],
    [["doctor", "--jsn"], "Did you mean --json?"],
    [["restore", "--stack", " "], "argument ' ' is invalid. Pass a value: it is empty, or another option."],
    [["types", "support", "--out", "--check"], "argument '--check' is invalid. Pass a value"],
    [["review", "--fail-on", "data-los"], 'did you mean "data-loss"?'],
    [["review", "nowhere.json"], "Cannot read nowhere.json: the file does not exist."],
    [["review"], "Standard input is empty; expected the output of `pulumi preview --json`"],
  ];
  await Promise.all(
    mistakes.map(async ([args, text]) => {
      const { code, stdout, stderr } = await agentgraph({ args });
      expect(stderr).toContain(text);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    }),
  );
});

test("review prints the whole comment when --fail-on makes it exit with code 1", async () => {
  const { code, stdout, stderr } = await agentgraph({
    args: ["review", "--fail-on", "data-loss", "--fail-on", "revision,create"],
    input: replaced,
  });
  expect(stdout).toContain("<!-- agentgraph-review:shop/dev -->\n\n### `shop/dev`: 1 to replace\n");
  expect(stderr).toBe("--fail-on data-loss (a database, threads, history or versions are lost): agent\n");
  expect(code).toBe(1);
  expect(await agentgraph({ args: ["review", "--fail-on", "revision"], input: replaced })).toMatchObject({
    code: 0,
    stderr: "",
  });
});

test("a reader that closes the error stream early does not change the exit code", async () => {
  const child = spawn(process.execPath, [COMMAND, "revew"], { stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.destroy();
  expect(await once(child, "close")).toEqual([2, null]);
});

test("review reads files in UTF-8 with a byte order mark and in UTF-16", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "utf8.json"), `\ufeff${replaced}`);
  writeFileSync(join(folder, "utf16.json"), `\ufeff${replaced}`, "utf16le");
  const [first, second] = await Promise.all(
    ["utf8.json", "utf16.json"].map((file) => agentgraph({ args: ["review", file], cwd: folder })),
  );
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("### `shop/dev`: 1 to replace\n") });
  expect(second).toEqual(first);
});

test("review combines files of several stacks in one comment, and in one JSON document", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "a.json"), replaced);
  writeFileSync(join(folder, "b.json"), digest([]).replaceAll(":dev::", ":live::"));
  const args = ["review", "a.json", "b.json"];
  const [text, json] = await Promise.all([
    agentgraph({ args, cwd: folder }),
    agentgraph({ args: [...args, "--json"], cwd: folder }),
  ]);
  expect(text.stdout.match(/^<!-- .*|^### .*|^1 stack .*/gm)).toEqual([
    "<!-- agentgraph-review:shop/dev,shop/live -->",
    "### `shop/dev`: 1 to replace",
    "1 stack without changes: `shop/live`",
  ]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ version: 1, marker: "<!-- agentgraph-review:shop/dev,shop/live -->", failOn: { requested: [], matches: {} } },
    stacks: [
      {
        stack: "dev",
        counts: { replace: 1 },
        changes: [{ name: "agent", effects: ["data-loss", "replace", "unverified"] }],
      },
      { stack: "live" },
    ],
  });
});
