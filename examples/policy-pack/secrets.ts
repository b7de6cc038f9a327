// A policy for all stacks.
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { kindOf } from "./resources";

/** Inputs whose values are encrypted, and references to secrets of the cluster. */
const SECRET_INPUTS = ["secrets", "credentials", "secretReferences"];
const SECRET_NAME =
  /(^|[_-])(password|secret|token)$|(api|access|private|secret)[_-]?key$|(access|auth|client)(secret|token)$/i;
const SECRET_VALUE = /:\/\/[^/\s:@]*:[^/\s@]+@|^(sk-|gh[ps]_|AKIA)\w{12,}|PRIVATE KEY-----/;

export const noPlainTextSecrets: ResourceValidationPolicy = {
  name: "no-plain-text-secrets",
  description: "Only encrypted inputs contain credentials.",
  enforcementLevel: "mandatory",
  validateResource: (args, reportViolation) => {
    const kind = kindOf(args);
    // State and previews contain no content of a sensitive thread.
    if (!kind || args.props.sensitive) return;
    const remedy = kind === "Thread" ? "Remove it, or set `sensitive: true`" : "Move it to `secrets`";
    for (const [name, value] of Object.entries(args.props)) {
      if (SECRET_INPUTS.includes(name)) continue;
      for (const path of credentials(value, name)) reportViolation(`${path} looks like a credential. ${remedy}.`);
    }
  },
};

/** Returns the paths of all values that look like credentials. */
function credentials(value: unknown, path: string): string[] {
  if (typeof value === "string")
    return SECRET_VALUE.test(value) || SECRET_NAME.test(path.split(".").at(-1) ?? "") ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => credentials(part, `${path}.${key}`));
}
