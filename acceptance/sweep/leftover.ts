/** An object that a run created and that is still on the server. */
export interface Leftover {
  kind: "assistant" | "cron" | "deployment" | "destination" | "export" | "thread";
  id: string;
  name: string;
  remove: () => Promise<Removal>;
}

/** "unsupported": the server cannot delete such objects at all. */
export type Removal = "removed" | "unsupported" | "failed";
