/** The command line: help, exit codes, mistakes in a sentence. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentgraph, type Ended } from "./support/command";
import { digest, image } from "./support/previews";

/** Each test starts the command, some of them several times. */
jest.setTimeout(60_000);

const replaced = digest([{ op: "replace", before: image("1"), after: { ...image("1"), name: "b" } }]);

test("--help tells the sub-commands and the exit codes, of each one its own", async () => {
  const [whole, ...each] = (await Promise.all(
    [["--help"], ["review", "--help"], ["adopt", "--help"], ["doctor", "--help"]].map((args) => agentgraph({ args })),
  )) as [Ended, Ended, Ended, Ended];
  const [review, adopt, doctor] = each;
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  for (const text of ["doctor", "review", "Exit codes:\n  0  fine"]) expect(whole.stdout).toContain(text);
  expect(review.stdout).toContain("data-loss  a database, threads or a history is lost");
  for (const { stdout } of each) expect(stdout).toContain("Exit codes:\n  0  fine");
  expect(review.stdout).toContain("  1  the preview failed, or what --fail-on names was found\n");
  expect(adopt.stdout).toContain("  1  nothing was found to adopt, or the service refused\n");
  expect(doctor.stdout).toContain("  1  something must be fixed\n");
});

test("a mistake ends with 2 and says what was meant", async () => {
  const mistakes: [string[], string][] = [
    [["revew"], "Did you mean review?"],
    [["doctor", "--jsn"], "Did you mean --json?"],
    [["review", "--fail-on", "data-los"], 'did you mean "data-loss"?'],
    [["review", "nowhere.json"], "nowhere.json cannot be read: it does not exist."],
    [["review"], "Standard input is empty: it takes what `pulumi preview --json` prints"],
  ];
  await Promise.all(
    mistakes.map(async ([args, text]) => {
      const { code, stdout, stderr } = await agentgraph({ args });
      expect(stderr).toContain(text);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    }),
  );
});

test("a review of standard input is written whole although --fail-on ends it with 1", async () => {
  const { code, stdout, stderr } = await agentgraph({
    args: ["review", "--fail-on", "revision,data-loss"],
    input: replaced,
  });
  expect(stdout).toContain("<!-- agentgraph-review:shop/dev -->\n\n### `shop/dev`: 1 to replace\n");
  expect(stderr).toBe("--fail-on data-loss: a database, threads or a history is lost: agent\n");
  expect(code).toBe(1);
  expect(await agentgraph({ args: ["review", "--fail-on", "revision"], input: replaced })).toMatchObject({
    code: 0,
    stderr: "",
  });
});

test("a name with line breaks writes no line of its own for a pipeline to obey", async () => {
  const name = "agent\n::error::all is lost\r\u001b[2J";
  const input = digest([{ op: "delete", name, before: image("1"), says: [["error", "it failed"]] }]).replaceAll(
    "urn:pulumi:dev::",
    "urn:pulumi:d\\n##[error]::",
  );
  const { code, stderr } = await agentgraph({ args: ["review", "--fail-on", "delete"], input });
  expect(stderr.split("\n")).toEqual([
    "The preview of shop/d # #[error] failed.",
    expect.stringMatching(/^--fail-on delete: .*: agent : :error::all is lost \[2J$/),
    "",
  ]);
  expect(code).toBe(1);
});

test("a file as Windows writes it is read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-review-"));
  writeFileSync(join(folder, "utf8.json"), `\ufeff${replaced}`);
  writeFileSync(join(folder, "utf16.json"), `\ufeff${replaced}`, "utf16le");
  const [first, second] = await Promise.all(
    ["utf8.json", "utf16.json"].map((file) => agentgraph({ args: ["review", file], cwd: folder })),
  );
  rmSync(folder, { recursive: true });
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("### `shop/dev`: 1 to replace\n") });
  expect(second).toEqual(first);
});

test("files of several stacks come into one comment, and --json tells machines the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-review-"));
  writeFileSync(join(folder, "a.json"), replaced);
  writeFileSync(join(folder, "b.json"), digest([]).replaceAll(":dev::", ":live::"));
  const args = ["review", "a.json", "b.json"];
  const [text, json] = await Promise.all([
    agentgraph({ args, cwd: folder }),
    agentgraph({ args: [...args, "--json"], cwd: folder }),
  ]);
  rmSync(folder, { recursive: true });
  expect(text.stdout.match(/^<!-- .*|^### .*/gm)).toEqual([
    "<!-- agentgraph-review:shop/dev,shop/live -->",
    "### `shop/dev`: 1 to replace",
    "### `shop/live`: no change to agents, exports or threads",
  ]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ version: 1, marker: "<!-- agentgraph-review:shop/dev,shop/live -->", failOn: { wanted: [], found: {} } },
    stacks: [
      { stack: "dev", counts: { replace: 1 }, changes: [{ name: "agent", effects: ["data-loss", "replace"] }] },
      { stack: "live" },
    ],
  });
});
