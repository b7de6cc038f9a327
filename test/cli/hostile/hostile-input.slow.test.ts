/** Large and deeply nested input: read in linear time, or rejected with one sentence. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { quoteShell } from "../../../cli/adopt/program/names";
import { typescript as language } from "../../../cli/adopt/program/typescript";
import { formatReadme } from "../../../cli/adopt/readme";
import { readTerraformState } from "../../../cli/adopt/terraform";
import { formatComment } from "../../../cli/review/comment/comment";
import { readPreview } from "../../../cli/review/preview/preview-json";
import { reviewOf } from "../../../cli/review/summary";
import { MAX_INPUT_BYTES, readStream } from "../../../cli/shared/input-file";
import { UsageError } from "../../../cli/shared/subcommand";
import { newFolder } from "../../../emulator/test/support/folder";
import { forAll } from "../../../emulator/test/support/for-all";
import { hostileJson } from "../../support/arbitraries/hostile-json";
import { fieldsOf, replaceField } from "../../support/hostile/fields";
import { SHARE } from "../../support/run/runs";
import { digest, image, NOW, reviewed } from "../support/previews";

/** Runs per field of a file; FUZZ_RUNS multiplies them. */
const RUNS = Math.ceil(20 * SHARE);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

/** Runs a reader on a text with each of its fields replaced by values that no tool writes. */
async function fuzzText(text: string, read: (text: string) => unknown): Promise<void> {
  for (const { path } of fieldsOf(0, text)) {
    const property = fc.asyncProperty(hostileJson, async (value) => {
      try {
        await read(replaceField(text, path, value));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
  }
}

const MEGABYTE = 1_000_000;
const ID = "3f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";
const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

describe("review", () => {
  it.each([
    ["tabs and line breaks", "\t\n".repeat(MEGABYTE / 2)],
    ["tabs", "\t".repeat(MEGABYTE)],
    ["braces that open nothing", "x{".repeat(MEGABYTE / 2)],
    ["carriage returns", "\r".repeat(MEGABYTE)],
  ])("rejects a megabyte of %s", (_what, text) => {
    expect(() => readPreview(text, "preview.json")).toThrow(UsageError);
  });

  it.each(['["a', "[", '["\\', "a.", '["a"]'])("accepts a path of a megabyte of %s", (part) => {
    const differing = { [part.repeat(MEGABYTE / part.length)]: "update" };
    const text = formatComment([reviewed([{ op: "update", before: image("1"), after: image("2"), differing }])]);
    expect(text).toContain("new revision: `imageUri` `1` -> `2`");
    expect(text.length).toBeLessThan(60_000);
  });

  it("accepts 100,000 levels", () => {
    const after = { ...image("2"), redeployTriggers: "DEEP" };
    const text = digest([{ op: "update", before: image("1"), after }]).replace('"DEEP"', nested(100_000));
    const review = reviewOf(readPreview(text, "preview.json"), NOW);
    expect(review.changes[0]?.summary).toContain("new revision: imageUri 1 -> 2");
    expect(JSON.stringify(review).length).toBeLessThan(10_000);
  });

  it("reports a preview with any values, or rejects it", async () => {
    const before = { ...image("1"), secrets: { TOKEN: "x" }, sourceConfig: { resourceSpec: { cpu: 1 } } };
    const text = digest(
      [
        {
          op: "update",
          before,
          after: image("2"),
          differing: { 'secrets["TOKEN"]': "delete" },
          diagnostics: [["warning", "w"]],
        },
        {
          op: "replace",
          kind: "Thread",
          name: "t",
          before: { deploymentUrl: "https://a" },
          after: { deploymentUrl: "https://b" },
          replaceReasons: ["deploymentUrl"],
        },
      ],
      [["error", "Error: boom"]],
    );
    await fuzzText(text, (changed) => {
      const review = reviewOf(readPreview(changed, "preview.json"), NOW);
      expect(JSON.stringify(review).length).toBeLessThan(5 * changed.length + 100_000);
      expect(formatComment([review]).length).toBeLessThan(65_536);
    });
  });
});

describe("adopt", () => {
  let folder: string;
  beforeAll(async () => {
    folder = newFolder();
  });

  it("reads the first levels of a Terraform state of 100,000 levels, as PowerShell writes it", async () => {
    const attributes = `{ "id": "${ID}", "deep": ${nested(100_000)} }`;
    const resource = `{ "type": "t", "name": "n", "instances": [{ "attributes": ${attributes} }] }`;
    const file = join(folder, "state.json");
    await writeFile(file, `\ufeff{ "version": 4, "resources": [${resource}] }`, "utf16le");
    expect(await readTerraformState(file)).toEqual([{ address: "t.n", name: "n", ids: [ID] }]);
  });

  it("reads a Terraform state with any values, or rejects it", async () => {
    const attributes = { id: ID, body: '{"id":"x"}', tags: { id: ["x"] } };
    const resource = {
      mode: "managed",
      module: "m",
      type: "t",
      name: "n",
      instances: [{ index_key: "k", attributes }],
    };
    const file = join(folder, "random.json");
    await fuzzText(JSON.stringify({ version: 4, resources: [resource] }), async (text) => {
      await writeFile(file, text);
      expect(await readTerraformState(file)).toBeInstanceOf(Array);
    });
  });
});

it("endless input is rejected", async () => {
  async function* endless() {
    const chunk = Buffer.alloc(MAX_INPUT_BYTES / 4);
    for (;;) yield chunk;
  }
  await expect(readStream(endless(), "Standard input")).rejects.toThrow("Standard input exceeds the limit of 100 MB");
});

describe("README.md of an adopted program", () => {
  const EVIL = ["[a](http://x.example)", "![a](x)", "@octocat", "<img src=x>", "<!-- x", "| a |", "#1", "```", "~~~"];

  it("contains no Markdown of names, titles or reasons", () => {
    const secrets = EVIL.map((text) => ({ key: "key", resource: text, path: `secrets.${text}` }));
    const skipped = EVIL.map((title, index) => ({
      kind: "exports" as const,
      id: "id",
      title,
      reason: `${title} ${index}`,
    }));
    const page = formatReadme({
      all: [],
      skipped,
      secrets,
      notes: EVIL,
      cautions: EVIL,
      terraform: [],
      language,
    } as never);
    const outside = page.replace(/^```sh\n.*?\n```$/gms, "").replace(/(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g, "§");
    expect(outside).not.toMatch(/[[\]<>@]|!\[|#1|~~~|```/);
    const rows = page.split("\n").filter((line) => line.startsWith("| `key`"));
    expect(rows).toHaveLength(EVIL.length);
    for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(5);
  });

  it("keeps a name with a fence inside its code block", () => {
    const page = formatReadme({
      ...{ all: [], skipped: [], secrets: [], notes: [], cautions: [], language },
      terraform: ['t.n["```\n# x"]'],
    });
    expect(page).toContain("````sh\nterraform state rm $'t.n[\"```\\x0a# x\"]'\n````");
  });

  it("quotes every name as one argument on one line", () => {
    const plain = fc.string({ unit: "grapheme" });
    const other = fc.string({ unit: fc.constantFrom("'", "\\", "\n", "$", "`", '"', "\u001b", "\u2028", "a", " ") });
    forAll(fc.oneof(plain, other), (text) => {
      const word = quoteShell(text);
      expect(word).not.toMatch(/[\n\r\u2028\u2029\p{Cc}]/u);
      expect(readShellWord(word)).toBe(text.toWellFormed());
    });
  });
});

/** What a shell takes a quoted word for: single quotes, escaped quotes between them, and ANSI-C quoting. */
function readShellWord(word: string): string {
  if (!word.startsWith("$'")) return word.slice(1, -1).replaceAll("'\\''", "'");
  const bytes: number[] = [];
  for (const [, hex, escaped, plain] of word.slice(2, -1).matchAll(/\\x([0-9a-f]{2})|\\(.)|([^\\])/gsu)) {
    bytes.push(...(hex === undefined ? Buffer.from(escaped ?? plain ?? "") : [Number.parseInt(hex, 16)]));
  }
  return Buffer.from(bytes).toString("utf8");
}
