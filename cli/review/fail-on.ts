/** What a change may do to the service: the values of `--fail-on`. */

export const EFFECTS = {
  "data-loss": "a database, threads or a history is lost",
  delete: "a resource is deleted, or dropped from state",
  replace: "a resource is replaced by a new one",
  restart: "an export starts again from its beginning",
  revision: "a deployment gets a new revision",
  create: "a resource is created or imported",
  update: "a resource is changed in place",
  secret: "a secret of an existing resource changes",
  unknown: "a value is not known until apply",
  warning: "a preview warns of a resource, or its check fails",
} as const;
export type ChangeEffect = keyof typeof EFFECTS;
/** What `--fail-on` takes beside the effects. */
export const WIDER = { change: "anything happens to any resource, of other providers as well" } as const;
export type FailOn = ChangeEffect | keyof typeof WIDER;

/** From the worst on: what people must see first. */
export const DANGERS = ["data-loss", "delete", "replace", "restart"] as const satisfies readonly ChangeEffect[];
