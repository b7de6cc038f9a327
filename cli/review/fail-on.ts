/** What a change may do to the service: the words of `--fail-on`, and what each kind of resource stands to lose. */

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
export type Effect = keyof typeof EFFECTS;
/** What `--fail-on` takes beside the effects. */
export const WIDER = { change: "anything happens to any resource, of other providers as well" } as const;
export type FailOn = Effect | keyof typeof WIDER;

/** From the worst on: what people must see first. */
export const DANGERS = ["data-loss", "delete", "replace", "restart"] as const satisfies readonly Effect[];

interface Nature {
  /** What a delete does to the service, in the words of a preview. */
  deleted: string;
  /** Whether it holds what no new one brings back. */
  holdsData?: true;
  isExport?: true;
}

const NATURES: Readonly<Record<string, Nature>> = {
  Deployment: { deleted: "DELETED, its database and threads are lost", holdsData: true },
  Thread: { deleted: "DELETED, its history is lost", holdsData: true },
  BulkExportDestination: { deleted: "deleted; the files in its bucket stay" },
  BulkExport: { deleted: "cancelled if it is still at work; its files stay", isExport: true },
  ScheduledBulkExport: { deleted: "stopped; what it has exported stays", isExport: true },
};

export const ofKind = (kind: string): Nature | undefined => (Object.hasOwn(NATURES, kind) ? NATURES[kind] : undefined);
