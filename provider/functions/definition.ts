/**
 * What a look-up is: its arguments, its answer, and how it is read. The two forms that programs call, the interfaces they
 * see, what is secret and how a failure is worded follow from this for all of them (index.ts, sdk/lookup.ts, sdk/lookups.ts).
 */
import { z } from "zod";
import type { Clients } from "../api/clients";
import type { DeepPartialNullable } from "../api/json-client";
import type { Settings } from "../settings/settings";

type Args = z.ZodObject;
/** One object, or a list of them. */
type Result = z.ZodObject | z.ZodArray<z.ZodObject>;

export interface FunctionDefinition<A extends Args = Args, R extends Result = Result> {
  name: string;
  /** What users read in an editor. */
  description: string;
  /** Arguments as an editor shows them in an example, of each form; of both where one is enough. */
  example: { plain: string; output?: string };
  /** Where the interface has its operation; absent where only newer services have it. */
  section?: string;
  /** Every field with its sentence. */
  args: A;
  /** Arguments of which exactly one is given. */
  exactlyOne?: readonly string[];
  result: R;
  /** Fields of the answer, or of each of its items, that are secret. */
  secrets?: readonly string[];
  /** What the answer leaves out or answers with null is absent afterwards, and what its schema does not name is dropped. */
  read(
    args: z.infer<A>,
    clients: Clients,
    settings: Pick<Settings, "tenantId">,
  ): Promise<DeepPartialNullable<z.infer<R>>>;
}

export function defineFunction<A extends Args, R extends Result>(
  definition: FunctionDefinition<A, R>,
): FunctionDefinition {
  return definition as unknown as FunctionDefinition;
}

/** An argument that names something: an empty one names nothing. */
export const optionalName = (what: string) => z.string().min(1).optional().describe(what);

/** The argument that names the deployment whose objects are read. */
export const deploymentId = z.string().min(1).describe("ID of the deployment.");

export const itemOf = (result: Result): z.ZodObject => (result instanceof z.ZodArray ? result.element : result);
