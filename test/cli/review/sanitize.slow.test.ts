/** Text from a fork, a server or a build has no effect in the terminal or pipeline that prints it. */
import { agentgraph } from "../support/command";
import { digest, image } from "../support/previews";

/** Text that acts in a terminal or in the log of a pipeline. */
const HOSTILE = {
  "a command of GitHub Actions": "\n::error file=a.ts::command",
  "a mask of GitHub Actions": "\r\n  ::add-mask::command",
  "a command of older runners": "##[command]word",
  "a command of Azure Pipelines": "##vso[task.setvariable variable=x]word",
  "a command of TeamCity": "##teamcity[buildStop comment='word']",
  "a cleared screen": "\u001b[2J\u001b[Hword",
  "a link of a terminal": "\u001b]8;;https://x.example\u0007word\u001b]8;;\u0007",
  "a title of a window": "\u009d0;word\u009c",
  "a lone carriage return": "before\rword",
  "a backspace": "word\b\b\b\b",
  "a text from right to left": "\u202edrow\u202c",
  "an isolated text": "\u2067drow\u2069",
  "characters without width": "wo\u200brd\ufeff\u{e0041}",
  "ends of lines": "a\u0085b\u2028c\u2029d",
  "a title that only another text ends": "\u009d0;word",
} as const;

/** Returns a preview with the text in each place that others may write to. */
function previewOf(text: string): string {
  const before = {
    ...image("1"),
    name: `a${text}`,
    redeployTriggers: { [`k${text}`]: "1" },
    secrets: { [`s${text}`]: "" },
  };
  const after = { ...image(`2${text}`), name: `b${text}`, redeployTriggers: { [`k${text}`]: text } };
  const diagnostics: [string, string][] = [
    ["warning", `row ${text}`],
    ["info", text],
  ];
  const differing = { name: "update-replace", [`redeployTriggers["k${text}"]`]: "update" };
  return digest(
    [
      { op: "replace", name: `one${text}`, before, after, differing, replaceReasons: [`name${text}`], diagnostics },
      { op: "delete", name: `two${text}`, before },
      { op: "create", name: `three${text}`, type: `other:index:Type${text}`, after },
    ],
    [
      ["error", `failed ${text}`],
      ["warning", text],
    ],
  );
}

/** Patterns that must not occur in any output. */
const ACTING = [
  /^\s*::/m,
  /##(\[|vso\[|teamcity\[)/i,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/,
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/,
];

it.each([
  ["Markdown", []],
  ["JSON", ["--json"]],
])("review, as %s and on its error stream, prints hostile text without effect", async (_form, options) => {
  const args = ["review", "--fail-on", "data-loss,replace,delete", ...options];
  const { code, stdout, stderr } = await agentgraph({ args, input: previewOf(Object.values(HOSTILE).join(" ")) });
  expect(code).toBe(1);
  expect(stderr).toContain("--fail-on");
  for (const pattern of ACTING) expect([stdout.match(pattern), stderr.match(pattern)]).toEqual([null, null]);
  // It is still said, as far as it is text.
  for (const word of ["one", "two", "failed"]) expect(stdout).toContain(word);
});
