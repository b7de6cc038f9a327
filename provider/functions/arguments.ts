/** The arguments of a look-up, checked: what is wrong stands in one message. */
import { valueAt } from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import { formatIssue } from "../text/issue-message";
import { UserError } from "../text/user-error";
import type { FunctionDefinition } from "./definition";

/** @throws UserError naming all that is wrong with them. */
export function parseArgs({ args, exactlyOne }: FunctionDefinition, input: unknown): Record<string, unknown> {
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
  const specified = (exactlyOne ?? []).filter((key) => valueAt(input, key) !== undefined);
  if (exactlyOne && specified.length !== 1) {
    problems.push(
      specified.length === 0
        ? `one of ${exactlyOne.join(" and ")} is required; none is given.`
        : `only one of ${exactlyOne.join(" and ")} can be given; take the other away.`,
    );
  }
  if (!parsed.success || problems.length > 0) throw new UserError(problems.join("\n"));
  return parsed.data;
}

function unknownArgument(key: string, validNames: readonly string[]): string {
  const near = closestMatch(key, validNames);
  const advice = near
    ? `did you mean "${near}"?`
    : validNames.length > 0
      ? `there are ${validNames.join(", ")}.`
      : "it takes none.";
  return `${key} is no argument of it; ${advice}`;
}
