/** README.md of the adopted program: next steps, secrets to set, and skipped resources. */
import { codeBlock, codeSpan, formatSentence, singleLine } from "../shared/markdown";
import { shellWord } from "./names";
import type { SecretKey } from "./program";
import { type Adopted, definitionOf, type LeftOut } from "./types";

/** Commands that bring the adopted resources into a stack, in order. */
export const IMPORT = "pulumi import -f import.json --generate-code=false --protect=false --yes";
export const PREVIEW = "pulumi preview --refresh";
export const setSecret = ({ key }: SecretKey) => `pulumi config set --secret ${key}`;

export interface Told {
  all: readonly Adopted[];
  left: readonly LeftOut[];
  secrets: readonly SecretKey[];
  notes: readonly string[];
  /** Terraform addresses of the adopted resources. */
  terraform: readonly string[];
}

export function readme({ all, left, secrets, notes, terraform }: Told): string {
  const said = [...reasons(left), ...notes];
  const parts = [
    "# Adopted resources",
    `This program declares ${counted(all)}, as they were when \`agentgraph adopt\` read them. Nothing was changed on the server.`,
    ...steps(secrets),
    ...(terraform.length > 0 ? fromTerraform(terraform) : []),
    ...(said.length > 0 ? ["## Skipped", bullets(said)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function steps(secrets: readonly SecretKey[]): string[] {
  const all = [
    [
      "Set the secrets. This command prompts for each value and stores it encrypted. No secret is in this folder yet.",
      secrets.length === 0 ? [] : askingFor(secrets),
    ],
    ["Import the resources into the state of the stack. This requires Pulumi CLI 3.254 or newer.", [IMPORT]],
    ["Check that the preview shows no changes.", [PREVIEW]],
  ] as const;
  const needed = all.filter(([, { length }]) => length > 0);
  return [
    "## Next steps",
    "In this folder, run `npm install`, create a stack (`pulumi stack init`), and configure it with the settings that `agentgraph adopt` used. Then:",
    ...needed.flatMap(([what, commands], index) => [`${index + 1}. ${what}`, codeBlock(commands, "sh")]),
    ...(secrets.length === 0 ? [] : [OF_SECRETS]),
    ...(secrets.some(({ path }) => path.startsWith("secrets.")) ? [OF_FAILURES] : []),
    "Finally, delete `import.json` and commit the other files.",
    ...(secrets.length === 0 ? [] : ["## Secrets", table(secrets)]),
  ];
}

/** One command: if several were pasted together, the first would read the second as its input. */
const askingFor = (secrets: readonly SecretKey[]) => [
  "for key in \\",
  ...secrets.map(({ key }) => `  ${key} \\`),
  '; do echo "$key"; pulumi config set --secret "$key"; done',
];

const table = (secrets: readonly SecretKey[]) =>
  [
    "| Configuration key | Resource | Input |",
    "|---|---|---|",
    ...secrets.map(({ key, resource, path }) => `| ${cell(key)} | ${cell(resource)} | ${cell(path)} |`),
  ].join("\n");

/** Formats a code span that does not end its table column. */
const cell = (text: string) => codeSpan(text).replaceAll("|", "\\|");

const OF_SECRETS =
  "The state contains no secrets yet. With `--refresh`, the preview reads the secrets of deployments from the server and compares them with the configuration; without it, the preview only announces the comparison. Equal secrets create no revision. The API never returns credentials of destinations, so they show as an update in place until the first `pulumi up` has set them.";

const OF_FAILURES =
  "The first `pulumi up` compares the secrets. For each of these deployments whose latest revision failed, it also retries that revision once with the same configuration, and shows a warning.";

const fromTerraform = (addresses: readonly string[]) => [
  "## Terraform",
  "These resources are also in the Terraform state. When the preview shows no changes, remove them from that state; otherwise Terraform may still change or destroy them:",
  codeBlock(
    addresses.map((address) => `terraform state rm ${shellWord(address)}`),
    "sh",
  ),
];

const bullets = (lines: readonly string[]) => lines.map((text) => `- ${formatSentence(text)}`).join("\n");

/** Returns a count of each kind, such as "2 deployments, 1 destination". */
export function counted(all: readonly { kind: Adopted["kind"] }[]): string {
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return (
    kinds
      .map(([kind, { length }]) => `${length} ${length === 1 ? definitionOf(kind).adopt.singular : kind}`)
      .join(", ") || "nothing"
  );
}

/** Returns one line for each reason: with the name of a single resource, otherwise with their number. */
export function reasons(left: readonly LeftOut[]): string[] {
  const groups = [...Map.groupBy(left, ({ kind, why }) => `${kind} ${why}`).values()];
  return groups.map((group) => {
    const [{ kind, title, why } = { kind: "exports" as const, title: "", why: "" }] = group;
    const what =
      group.length === 1 ? `${definitionOf(kind).adopt.singular} ${singleLine(title)}` : `${group.length} ${kind}`;
    return `${what}: ${why}`;
  });
}
