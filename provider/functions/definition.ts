/**
 * The definition of a function: its arguments, how they are checked, its result, and how that is read. Both forms that
 * programs call, their types, secrets and errors are derived from it.
 */
import { z } from "zod";
import type { Clients } from "../api/clients";
import type { DeepPartialNullable } from "../api/json-client";
import { valueAt } from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import { formatIssue } from "../text/issue-message";
import { UserError } from "../text/user-error";

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

type Arguments = Pick<FunctionDefinition, "args" | "exactlyOne">;

/** Returns the arguments that a caller passes. @throws UserError with all that is wrong. */
export function parseArgs({ args, exactlyOne = [] }: Arguments, input: unknown): Record<string, unknown> {
  const parsed = args.safeParse(input ?? {});
  const problems = (parsed.error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => unknownArgument(key, Object.keys(args.shape)));
    return [
      path === ""
        ? formatIssue(issue, input, false)
        : `${path} ${formatIssue(issue, valueAt(input, issue.path), false)}`,
    ];
  });
  for (const group of exactlyOne) {
    const { length } = group.filter((key) => valueAt(input, key) !== undefined);
    if (length !== 1)
      problems.push(length === 0 ? `specify ${group.join(" or ")}.` : `specify only one of ${group.join(" and ")}.`);
  }
  if (!parsed.success || problems.length > 0) throw new UserError(problems.join("\n"));
  return parsed.data;
}

function unknownArgument(key: string, validNames: readonly string[]): string {
  const suggestion = closestMatch(key, validNames);
  const hint = suggestion
    ? `did you mean "${suggestion}"?`
    : validNames.length > 0
      ? `expected one of ${validNames.join(", ")}.`
      : "no arguments are expected.";
  return `unknown argument "${key}"; ${hint}`;
}
