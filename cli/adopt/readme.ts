/** The page beside the program: how to go on, which secrets to set, and what was left out. */
import { block, code, line, sentence } from "../shared/markdown";
import { shellWord } from "./names";
import type { SecretKey } from "./program";
import { type Adopted, definitionOf, type LeftOut } from "./types";

/** Commands that take what was adopted into a stack, in their order. */
export const IMPORT = "pulumi import -f import.json --generate-code=false --protect=false --yes";
export const PREVIEW = "pulumi preview --refresh";
export const setSecret = ({ key }: SecretKey) => `pulumi config set --secret ${key}`;

export interface Told {
  all: readonly Adopted[];
  left: readonly LeftOut[];
  secrets: readonly SecretKey[];
  notes: readonly string[];
  /** Addresses of what another tool's state holds too. */
  terraform: readonly string[];
}

export function readme({ all, left, secrets, notes, terraform }: Told): string {
  const said = [...reasons(left), ...notes];
  const parts = [
    "# Adopted resources",
    `This program declares ${counted(all)} as found on the service when it was written. Nothing was changed there.`,
    ...steps(secrets),
    ...(terraform.length > 0 ? fromTerraform(terraform) : []),
    ...(said.length > 0 ? ["## Left out", bullets(said)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function steps(secrets: readonly SecretKey[]): string[] {
  const all = [
    [
      "Set the secrets. This asks for one value after the other, which are kept encrypted; none was written here.",
      secrets.length === 0 ? [] : askingFor(secrets),
    ],
    ["Import what is there into the stack's state. This needs version 3.254 or newer of the Pulumi CLI.", [IMPORT]],
    ["See that nothing would change.", [PREVIEW]],
  ] as const;
  const needed = all.filter(([, { length }]) => length > 0);
  return [
    "## How to go on",
    "In this folder, after `npm install`, with a stack (`pulumi stack init`) and the settings by which the service was read:",
    ...needed.flatMap(([what, commands], index) => [`${index + 1}. ${what}`, block(commands, "sh")]),
    ...(secrets.length === 0 ? [] : [OF_SECRETS]),
    ...(secrets.some(({ path }) => path.startsWith("secrets.")) ? [OF_FAILURES] : []),
    "Then delete `import.json`, and keep the rest in your repository.",
    ...(secrets.length === 0 ? [] : ["## Secrets", table(secrets)]),
  ];
}

/** One command, since of several that are pasted together the first would take the second for its answer. */
const askingFor = (secrets: readonly SecretKey[]) => [
  "for key in \\",
  ...secrets.map(({ key }) => `  ${key} \\`),
  '; do echo "$key"; pulumi config set --secret "$key"; done',
];

const table = (secrets: readonly SecretKey[]) =>
  [
    "| key in the config | resource | where it stands |",
    "|---|---|---|",
    ...secrets.map(({ key, resource, path }) => `| ${cell(key)} | ${cell(resource)} | ${cell(path)} |`),
  ].join("\n");

/** A code span that ends no column. */
const cell = (text: string) => code(text).replaceAll("|", "\\|");

const OF_SECRETS =
  "The state holds no secret yet. `--refresh` reads those of deployments from the service and compares them with the config; without it the preview only tells that they will be compared, and equal ones make no new revision. Credentials of destinations are never shown by the service, so they appear as a change in place until the first `pulumi up` has set them.";

const OF_FAILURES =
  "The first `pulumi up` compares them. It also makes one new attempt, with the same content, for each of these deployments whose newest revision had failed; a warning says so.";

const fromTerraform = (addresses: readonly string[]) => [
  "## Terraform",
  "These stand in the Terraform state as well. Take them out of it once the preview is empty, or it will go on to change or destroy them:",
  block(
    addresses.map((address) => `terraform state rm ${shellWord(address)}`),
    "sh",
  ),
];

const bullets = (lines: readonly string[]) => lines.map((text) => `- ${sentence(text)}`).join("\n");

/** "2 deployments, 1 destination". */
export function counted(all: readonly { kind: Adopted["kind"] }[]): string {
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return (
    kinds
      .map(([kind, { length }]) => `${length} ${length === 1 ? definitionOf(kind).adopt.singular : kind}`)
      .join(", ") || "nothing"
  );
}

/** One line for each reason: by name where it holds for one, else by number. */
export function reasons(left: readonly LeftOut[]): string[] {
  const groups = [...Map.groupBy(left, ({ kind, why }) => `${kind} ${why}`).values()];
  return groups.map((group) => {
    const [{ kind, title, why } = { kind: "exports" as const, title: "", why: "" }] = group;
    const what = group.length === 1 ? `${definitionOf(kind).adopt.singular} ${line(title)}` : `${group.length} ${kind}`;
    return `${what}: ${why}`;
  });
}
