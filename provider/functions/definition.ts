/**
 * The definition of a function: its arguments, its result, and how that is read. Both forms that programs call, their
 * types, secrets and errors are derived from it.
 */
import { z } from "zod";
import type { Clients } from "../api/clients";
import type { DeepPartialNullable } from "../api/json-client";

type Args = z.ZodObject;
type Result = z.ZodObject | z.ZodArray<z.ZodObject>;

export interface FunctionDefinition<A extends Args = Args, R extends Result = Result> {
  name: string;
  description: string;
  /** The arguments in the example of each form; `output` only where it differs. */
  example: { plain: string; output?: string };
  /** The section of the interface with its operation; absent where only newer servers have it. */
  section?: string;
  args: A;
  exactlyOne?: readonly (readonly string[])[];
  result: R;
  /** Fields of the result, or of each of its items, that are secret. */
  secrets?: readonly string[];
  /** Reads the result. Fields that are null, or not in the schema, are dropped afterwards. */
  read(args: z.infer<A>, clients: Clients): Promise<DeepPartialNullable<z.infer<R>>>;
}

export function defineFunction<A extends Args, R extends Result>(
  definition: FunctionDefinition<A, R>,
): FunctionDefinition {
  return definition as unknown as FunctionDefinition;
}

export const deploymentId = z.string().min(1).describe("ID of the deployment.");

export const describeFunction = ({ description, section }: FunctionDefinition): string =>
  `${description}${section ? "" : " Not every server supports it."}`;

export const itemOf = (result: Result): z.ZodObject => (result instanceof z.ZodArray ? result.element : result);
