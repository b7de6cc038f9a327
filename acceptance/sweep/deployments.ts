/** Lists deployments page by page. */
import type { Api } from "../target/http.ts";
import { listIn } from "./list.ts";

const PAGE = 100;

export interface ListedDeployment {
  id: string;
  name: string;
  status?: string;
  url?: string | null;
  source_config?: { custom_url?: string | null };
}

/** Returns the deployments whose names contain a text. */
export async function listDeployments(api: Api, text: string): Promise<ListedDeployment[]> {
  const found = new Map<string, ListedDeployment>();
  for (let offset = 0; ; ) {
    const query = `${text && `name_contains=${encodeURIComponent(text)}&`}limit=${PAGE}&offset=${offset}`;
    const reply = await api.get(`/v2/deployments?${query}`);
    const page = listIn<ListedDeployment>(api, "/v2/deployments", reply, reply.body?.resources);
    const size = found.size;
    for (const one of page) found.set(one.id, one);
    // The end of a list is a page without new items: API `4.list-end`.
    if (found.size === size) return [...found.values()];
    offset += page.length;
  }
}
