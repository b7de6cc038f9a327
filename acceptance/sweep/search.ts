/**
 * Searches an agent server for what runs created there: such objects have no name, so their metadata contains the
 * prefix and the run.
 */
import type { Api } from "../target/http.ts";
import { listIn } from "./list.ts";

const PAGE = 100;

export interface Found {
  assistant_id?: string;
  cron_id?: string;
  thread_id?: string;
  metadata?: { acceptance?: string; run?: string };
}

/** Returns all objects of a route whose run begins with a text. */
export async function searchRuns(api: Api, route: string, prefix: string): Promise<Found[]> {
  // Metadata is compared as a whole: the first word of the names of all runs is their prefix.
  const metadata = { acceptance: prefix.replace(/-(\d{12}-.*)?$/, "") };
  const found = new Map<string, Found>();
  for (let offset = 0; ; ) {
    const reply = await api.post(`${route}/search`, { metadata, limit: PAGE, offset });
    const page = listIn<Found>(api, `${route}/search`, reply);
    const size = found.size;
    for (const one of page) found.set(idOf(one), one);
    // A server may ignore the offset.
    if (found.size === size) break;
    offset += page.length;
  }
  // A server may ignore the filter.
  return [...found.values()].filter(
    ({ metadata: own }) => own?.acceptance === metadata.acceptance && own.run?.startsWith(prefix),
  );
}

const idOf = (one: Found) => String(one.cron_id ?? one.thread_id ?? one.assistant_id);
