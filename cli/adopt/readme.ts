/** README.md of the adopted program: next steps, secrets to set, and skipped resources. */
import { codeBlock, codeSpan, formatSentence, singleLine } from "../shared/text/markdown";
import type { SecretKey } from "./program/declarations";
import type { Language } from "./program/language";
import { quoteShell } from "./program/names";
import { type Adopted, definitionOf, type Skipped } from "./types";

/** Commands that bring the adopted resources into a stack, in order: these, and the preview of the language. */
export const setSecret = ({ key }: SecretKey) => `pulumi config set --secret ${key}`;
export const IMPORT = "pulumi import -f import.json --generate-code=false --protect=false --yes";

export interface ReadmeContent {
  all: readonly Adopted[];
  skipped: readonly Skipped[];
  secrets: readonly SecretKey[];
  notes: readonly string[];
  /** What to check before the import. */
  cautions: readonly string[];
  /** Terraform addresses of the adopted resources. */
  terraform: readonly string[];
  language: Pick<Language, "install" | "commands">;
}

export function formatReadme({ all, skipped, secrets, notes, cautions, terraform, language }: ReadmeContent): string {
  const skippedLines = [...formatSkipped(skipped), ...notes];
  const parts = [
    "# Adopted resources",
    `This program declares ${formatCounts(all)}, as they were when \`agentgraph adopt\` read them. Nothing ` +
      "was changed on the server.",
    ...(cautions.length > 0 ? ["## Check before the import", bulletList(cautions)] : []),
    ...formatSteps(secrets, language),
    ...(terraform.length > 0 ? terraformSection(terraform) : []),
    ...(skippedLines.length > 0 ? ["## Skipped", bulletList(skippedLines)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function formatSteps(secrets: readonly SecretKey[], { install, commands }: ReadmeContent["language"]): string[] {
  const { requirement, preview, secretsNote, plainTextNote = "", firstUpdateNote = "" } = commands;
  const hasPlainText = secrets.some(({ path }) => /\.env\./.test(path) && !path.startsWith("secrets."));
  const hasDeploymentSecrets = secrets.some(({ path }) => path.startsWith("secrets."));
  const all = [
    [
      "Set the secrets. This command prompts for each value and stores it encrypted. No secret is in this folder yet.",
      secrets.length === 0 ? [] : secretPrompts(secrets),
    ],
    [`Import the resources into the state of the stack. ${requirement}`, [IMPORT]],
    ["Check that the preview shows no changes.", [preview]],
  ] as const;
  const requiredSteps = all.filter(([, { length }]) => length > 0);
  return [
    "## Next steps",
    `In this folder, ${runAll(install)}create a stack (\`pulumi stack init\`), and configure it with the ` +
      "settings that `agentgraph adopt` used. Then:",
    ...requiredSteps.flatMap(([what, lines], index) => [`${index + 1}. ${what}`, codeBlock(lines, "sh")]),
    ...(secrets.length === 0 ? [] : [secretsNote]),
    ...(hasDeploymentSecrets ? [MOVE_NOTE] : []),
    ...(hasPlainText && plainTextNote ? [plainTextNote] : []),
    ...(hasDeploymentSecrets && firstUpdateNote ? [firstUpdateNote] : []),
    "Finally, delete `import.json` and commit the other files.",
    ...(secrets.length === 0 ? [] : ["## Secrets", formatSecretTable(secrets)]),
  ];
}

const MOVE_NOTE =
  "The server does not say which variables of a deployment are secret, so all of them are in `secrets`. After " +
  "the import, move the others to `environment`, with their values in plain text. A move with the same value " +
  "creates no revision.";

/** Formats the commands that install packages as a clause. */
const runAll = (commands: readonly string[]) =>
  commands.length === 0 ? "" : `run ${commands.map((command) => `\`${command}\``).join(" and ")}, `;

/** One command: if several were pasted together, the first would read the second as its input. */
const secretPrompts = (secrets: readonly SecretKey[]) => [
  "for key in \\",
  ...secrets.map(({ key }) => `  ${key} \\`),
  '; do echo "$key"; pulumi config set --secret "$key"; done',
];

const formatSecretTable = (secrets: readonly SecretKey[]) =>
  [
    "| Configuration key | Resource | Input |",
    "|---|---|---|",
    ...secrets.map(
      ({ key, resource, path }) => `| ${formatCell(key)} | ${formatCell(resource)} | ${formatCell(path)} |`,
    ),
  ].join("\n");

/** Formats a code span that does not end its table column. */
const formatCell = (text: string) => codeSpan(text).replaceAll("|", "\\|");

const terraformSection = (addresses: readonly string[]) => [
  "## Terraform",
  "These resources are also in the Terraform state. When the preview shows no changes, remove them from that " +
    "state; otherwise Terraform may still change or destroy them:",
  codeBlock(
    addresses.map((address) => `terraform state rm ${quoteShell(address)}`),
    "sh",
  ),
];

const bulletList = (lines: readonly string[]) => lines.map((text) => `- ${formatSentence(text)}`).join("\n");

/** Returns a count of each kind, such as "2 deployments, 1 destination". */
export function formatCounts(all: readonly { kind: Adopted["kind"] }[]): string {
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return (
    kinds.map(([kind, { length }]) => `${length} ${length === 1 ? definitionOf(kind).adopt.noun : kind}`).join(", ") ||
    "nothing"
  );
}

/** Returns one line for each reason: with the name of a single resource, otherwise with their number. */
export function formatSkipped(skipped: readonly Skipped[]): string[] {
  const groups = [...Map.groupBy(skipped, ({ kind, reason }) => `${kind} ${reason}`).values()];
  return groups.map((group) => {
    const [{ kind, title, reason } = { kind: "exports" as const, title: "", reason: "" }] = group;
    const what =
      group.length === 1 ? `${definitionOf(kind).adopt.noun} ${singleLine(title)}` : `${group.length} ${kind}`;
    return `${what}: ${reason}`;
  });
}
