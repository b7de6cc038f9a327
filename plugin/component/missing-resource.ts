/**
 * What the Pulumi SDK says of a resource that failed, or that the engine skipped, in a run that continues after errors.
 */
const MISSING = /resource (.+) \[([\w:/-]+)\] failed to register$/s;

/** Returns the resource that such an error is about; undefined for any other error. */
export function missingResource(error: unknown): { name: string; type: string } | undefined {
  const [, name, type] = (error instanceof Error && MISSING.exec(error.message)) || [];
  return name === undefined || type === undefined ? undefined : { name, type };
}
