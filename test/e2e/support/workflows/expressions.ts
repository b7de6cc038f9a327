/** The subset of GitHub's expressions that the workflows of the examples use. */

/** Values of `${{ … }}` expressions. A missing one is empty, as in the real runner. */
export type Values = Record<string, string>;

/** Whether one of the previous steps, or of the jobs that a job needs, failed or was skipped. */
export type Status = "success" | "failure" | "skipped";

const STATUS_FUNCTION = /!cancelled\(\)|\bfailure\(\)|\bsuccess\(\)/;

/**
 * Evaluates a condition such as `a == 'b' && c != d || e`. Without a function such as `failure()`, it is also false
 * after a failure, and for a job whose needs were skipped.
 */
export function evaluateCondition(condition: string, values: Values, status: Status): boolean {
  if (status !== "success" && !STATUS_FUNCTION.test(condition)) return false;
  const plain = condition.replace(/^\$\{\{(.*)\}\}$/, "$1");
  const value = (word: string) => /^'(.*)'$/.exec(word)?.[1] ?? values[word] ?? "";
  const one = (part: string) => {
    if (part === "!cancelled()") return true;
    if (part === "failure()" || part === "success()") return status === part.slice(0, -2);
    const [left = "", operator, right = ""] = part.split(/\s+(==|!=)\s+/);
    return operator ? (value(left) === value(right)) === (operator === "==") : value(left) !== "";
  };
  return plain.split("||").some((some) => some.split("&&").every((part) => one(part.trim())));
}

export const interpolate = (text: string, values: Values): string =>
  text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name) => values[name] ?? "");

/** Evaluates `${{ fromJSON(…) }}` of a list. */
export function listOf(text: string, values: Values): string[] {
  const [, name = ""] = /^\$\{\{ fromJSON\((.*)\) \}\}$/.exec(text) ?? [];
  return JSON.parse(values[name] ?? "[]");
}
