/** Checks the arguments of functions and lists. */
import { valueAt } from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import { formatIssue } from "../text/issue-message";
import { UserError } from "../text/user-error";
import type { FunctionDefinition } from "./definition";

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
