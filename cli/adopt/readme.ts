/** The page beside the program: how to go on, which secrets to set, and what was left out. */
import { type Adopted, CLASSES, type LeftOut } from "./found";
import type { SecretKey } from "./program";

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
    `This program declares ${counted(all)} that were there already, as they were when it was written. Nothing was changed on the service.`,
    ...steps(secrets),
    ...(terraform.length > 0 ? fromTerraform(terraform) : []),
    ...(said.length > 0 ? ["## Left out", bullets(said)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function steps(secrets: readonly SecretKey[]): string[] {
  const set = secrets.map((secret) => `${setSecret(secret)}  # ${secret.resource}: ${secret.path}`);
  const all = [
    ["Set the secrets. Each command asks for a value, which is kept encrypted; none was written here.", set],
    ["Import what is there into the stack's state. This needs version 3.254 or newer of the Pulumi CLI.", [IMPORT]],
    ["See that nothing would change.", [PREVIEW]],
  ] as const;
  const needed = all.filter(([, { length }]) => length > 0);
  return [
    "## How to go on",
    "In this folder, after `npm install`, with a stack (`pulumi stack init`) and the settings by which the service was read:",
    ...needed.flatMap(([what, commands], index) => [`${index + 1}. ${what}`, code(commands)]),
    ...(secrets.length === 0 ? [] : [OF_SECRETS]),
    "Then delete `import.json`, and keep the rest in your repository.",
  ];
}

const OF_SECRETS =
  "The state holds no secret yet. With `--refresh` those of deployments are read from the service and compared with the config. Credentials of destinations are never shown by the service, so they appear as a change in place until the first `pulumi up --refresh` has set them; equal secrets make no new revision.";

const fromTerraform = (addresses: readonly string[]) => [
  "## Terraform",
  "These stand in the Terraform state as well. Take them out of it once the preview is empty, or it will go on to change or destroy them:",
  code(addresses.map((address) => `terraform state rm '${address.replaceAll("'", "'\\''")}'`)),
];

const code = (lines: readonly string[]) => ["```sh", ...lines, "```"].join("\n");
const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line.replaceAll("\n", " ")}`).join("\n");

/** "2 deployments, 1 destination". */
export function counted(all: readonly { kind: Adopted["kind"] }[]): string {
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return (
    kinds.map(([kind, { length }]) => `${length} ${length === 1 ? CLASSES[kind].one : kind}`).join(", ") || "nothing"
  );
}

/** One line for each reason: by name where it holds for one, else by number. */
export function reasons(left: readonly LeftOut[]): string[] {
  const groups = [...Map.groupBy(left, ({ kind, why }) => `${kind} ${why}`).values()];
  return groups.map((group) => {
    const [{ kind, title, why } = { kind: "exports" as const, title: "", why: "" }] = group;
    const what = group.length === 1 ? `${CLASSES[kind].one} ${title}` : `${group.length} ${kind}`;
    return `${what}: ${why}`;
  });
}
