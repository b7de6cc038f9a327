/**
 * Cron: runs of an assistant on a schedule (API `2B.Cron`).
 *
 * create: POST /runs/crons or POST /threads/{id}/runs/crons, after a search · read: GET, or one search for several ·
 * update: PATCH · delete: DELETE. Only some servers have crons.
 *
 * The server assigns the ID, and each POST makes another cron, which fires as well. So the marker in the metadata is
 * searched before a create and after a lost response, and several crons with one marker are all left alone.
 */
import { adoptFacts, objectListing, titleIn } from "../objects/listing";
import { defineObject } from "../objects/verbs";
import { parseTimestamp } from "../schema/timestamp";
import { CRON, rules } from "./cron/fields";
import { cronObject } from "./cron/object";

const RUNS_CONTINUE = "runs that it started continue";

export const cron = defineObject(cronObject, {
  description:
    "A schedule on which the agent server of a deployment starts runs of an assistant. It has no history; a " +
    "replacement skips a time that falls into it, and runs that it started continue.",
  rules,
  impact: {
    replacement: "replace",
    loses: null,
    onDelete: RUNS_CONTINUE,
    onCreate: (_context, replacing) => (replacing ? RUNS_CONTINUE : undefined),
    warn: (_paths, { inputs: { endTime }, now }) => {
      const end = parseTimestamp(endTime);
      return end !== undefined && Number(end) / 1000 <= now
        ? { path: "endTime", reason: "has passed, so the cron never fires." }
        : undefined;
    },
  },
  timeouts: { create: "30m", update: "10m", delete: "10m" },
  listing: objectListing(cronObject, ({ schedule }) => [String(schedule)]),
  adopt: adoptFacts(
    { ...cronObject, read: CRON.read },
    // The first digits of the ID are a time, which crons of one moment share.
    { title: (remote) => titleIn(remote) ?? `cron-${remote.id.slice(-8)}` },
  ),
});
