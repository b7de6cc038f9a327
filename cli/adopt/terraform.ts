/** Reads the IDs in a Terraform state. Nothing else is kept, because a state contains secrets in plain text. */
import { z } from "zod";
import { readInputFile } from "../shared/input-file";
import { UsageError } from "../shared/subcommand";

const stateFile = z.object({
  version: z.literal(4),
  resources: z.array(
    z.object({
      mode: z.string().optional(),
      module: z.string().optional(),
      type: z.string(),
      name: z.string(),
      instances: z.array(
        z.object({ index_key: z.union([z.string(), z.number()]).optional(), attributes: z.unknown().optional() }),
      ),
    }),
  ),
});

/** A resource of the state that may exist on the server. */
export interface TerraformEntry {
  /** Address for `terraform state rm`. */
  address: string;
  /** Name in the Terraform configuration. */
  name: string;
  /** Candidates for its ID, the most likely first. */
  ids: string[];
}

/** @throws UsageError if the file is not a Terraform state of version 4. */
export async function readTerraformState(file: string): Promise<TerraformEntry[]> {
  const remedy = "Save the output of `terraform state pull` to that file.";
  const { data } = stateFile.safeParse(parseJson(await readInputFile(file, file, remedy)));
  if (!data) {
    throw new UsageError(
      `${file} is not a Terraform state of version 4. Save the output of \`terraform state pull\` to that file.`,
    );
  }
  return data.resources.flatMap(({ mode, module: modulePath, type, name, instances }) => {
    if (mode === "data") return [];
    return instances.flatMap(({ index_key, attributes }): TerraformEntry[] => {
      const index = index_key === undefined ? "" : `[${JSON.stringify(index_key)}]`;
      const address = `${modulePath === undefined ? "" : `${modulePath}.`}${type}.${name}${index}`;
      const ids = [...new Set(findIds(attributes, true))];
      return ids.length === 0 ? [] : [{ address, name: index_key === undefined ? name : `${name}-${index_key}`, ids }];
    });
  });
}

/** Real states have about ten levels. */
const MAX_LEVELS = 100;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * Returns the values of keys `id` at any depth, also in strings that contain the JSON of a request or response. An ID
 * of another object has a longer key (`listener_id`) and is ignored.
 * @param isId Whether the key of the value is `id`.
 * @param levels Maximum depth.
 */
function findIds(value: unknown, isId = false, levels = MAX_LEVELS): string[] {
  if (levels === 0) return [];
  if (typeof value === "string") {
    const inner = /^\s*[{[]/.test(value) ? parseJson(value) : undefined;
    if (inner !== undefined) return findIds(inner, false, levels - 1);
    return isId ? (value.match(UUID) ?? []).slice(-1).map((id) => id.toLowerCase()) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).sort(([a], [b]) => Number(b === "id") - Number(a === "id"));
  return entries.flatMap(([key, part]) => findIds(part, /^(id)$/i.test(key), levels - 1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
