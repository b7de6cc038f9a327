/** The arguments of a look-up, checked: what is wrong stands in one message. */
import { valueAt } from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import { formatIssue } from "../text/issue-message";
import { UserError } from "../text/user-error";
import type { FunctionDefinition } from "./definition";

/** @throws UserError naming all that is wrong with them. */
export function checkedArgs({ args, exactlyOne }: FunctionDefinition, given: unknown): Record<string, unknown> {
  const parsed = args.safeParse(given ?? {});
  const complaints = (parsed.error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => unknownArgument(key, Object.keys(args.shape)));
    return [
      path === ""
        ? formatIssue(issue, given, false)
        : `${path} ${formatIssue(issue, valueAt(given, issue.path), false)}`,
    ];
  });
  const named = (exactlyOne ?? []).filter((key) => valueAt(given, key) !== undefined);
  if (exactlyOne && named.length !== 1) {
    complaints.push(
      named.length === 0
        ? `one of ${exactlyOne.join(" and ")} is required; none is given.`
        : `only one of ${exactlyOne.join(" and ")} can be given; take the other away.`,
    );
  }
  if (!parsed.success || complaints.length > 0) throw new UserError(complaints.join("\n"));
  return parsed.data;
}

function unknownArgument(key: string, known: readonly string[]): string {
  const near = closestMatch(key, known);
  const advice = near
    ? `did you mean "${near}"?`
    : known.length > 0
      ? `there are ${known.join(", ")}.`
      : "it takes none.";
  return `${key} is no argument of it; ${advice}`;
}
