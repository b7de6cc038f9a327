/** Effects of a change on the server: the values of `--fail-on`. */

export const EFFECTS = {
  "data-loss": "a database, threads, history or versions are lost",
  "conversations-lost": "conversations would be lost, or it is unknown (see --live)",
  delete: "a resource is deleted or removed from state",
  replace: "a resource is replaced",
  restart: "an export restarts from the beginning",
  revision: "a deployment gets a new revision",
  unverified: "a deployment without checks (verify) gets a revision",
  version: "an assistant gets a new version",
  create: "a resource is created or imported",
  update: "a resource is updated in place",
  secret: "a secret of an existing resource changes",
  unknown: "a value is unknown until apply",
  warning: "the preview shows a warning, or a check fails",
} as const;
export type ChangeEffect = keyof typeof EFFECTS;
/** Values of `--fail-on` besides the effects. */
export const OTHER_VALUES = { change: "any resource changes, including those of other providers" } as const;
export type FailOn = ChangeEffect | keyof typeof OTHER_VALUES;

/** The effects that a reviewer must see first, the worst first. */
export const DANGERS = ["data-loss", "delete", "replace", "restart"] as const satisfies readonly ChangeEffect[];
