/** The ids that a Terraform state holds. Nothing else of it is kept: it holds secrets in clear. */
import { z } from "zod";
import { readInput } from "../shared/input-file";
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

/** A resource of the state that may be an object of the service. */
export interface Claim {
  /** As `terraform state rm` takes it. */
  address: string;
  /** What its author called it. */
  name: string;
  /** Ids that may be its own, the likeliest first. */
  ids: string[];
}

/** @throws UsageError when it is no state of a version that is known. */
export async function readTerraform(file: string): Promise<Claim[]> {
  const remedy = "Save the output of `terraform state pull` to that file.";
  const { data } = stateFile.safeParse(parsed(Buffer.from(await readInput(file, file, remedy)).toString("utf8")));
  if (!data) {
    throw new UsageError(
      `${file} is not a Terraform state of version 4. Save the output of \`terraform state pull\` to that file.`,
    );
  }
  return data.resources.flatMap(({ mode, module, type, name, instances }) => {
    if (mode === "data") return [];
    return instances.flatMap(({ index_key, attributes }): Claim[] => {
      const index = index_key === undefined ? "" : `[${JSON.stringify(index_key)}]`;
      const address = `${module === undefined ? "" : `${module}.`}${type}.${name}${index}`;
      const ids = [...new Set(idsIn(attributes, true))];
      return ids.length === 0 ? [] : [{ address, name: index_key === undefined ? name : `${name}-${index_key}`, ids }];
    });
  });
}

/** Real states nest some ten levels deep. */
const MAX_LEVELS = 100;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * What is called an id, at any depth; a body that was sent or answered stands there as a text of its own. An id that
 * only refers to another object has a longer name (`listener_id`), and does not count.
 * @param isId Whether the value is called an id.
 * @param levels How many more levels are looked into.
 */
function idsIn(value: unknown, isId = false, levels = MAX_LEVELS): string[] {
  if (levels === 0) return [];
  if (typeof value === "string") {
    const inner = /^\s*[{[]/.test(value) ? parsed(value) : undefined;
    if (inner !== undefined) return idsIn(inner, false, levels - 1);
    return isId ? (value.match(UUID) ?? []).slice(-1).map((id) => id.toLowerCase()) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).sort(([a], [b]) => Number(b === "id") - Number(a === "id"));
  return entries.flatMap(([key, part]) => idsIn(part, /^(id)$/i.test(key), levels - 1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
