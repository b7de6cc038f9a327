/** What a server says of its graphs, asked once for each. */
import { type ConversationServer, recoverRejection } from "./conversation-server";

interface Drawing {
  nodes?: { id?: unknown }[];
  edges?: { source?: unknown; target?: unknown }[];
}

/** Threads of a graph in which memory is looked for below a node. */
const MAX_PROBES = 20;

export class Graphs {
  private readonly assistants = new Map<string, Promise<string | undefined>>();
  private readonly subgraphs = new Map<string, Promise<readonly string[]>>();
  private readonly drawings = new Map<string, Promise<readonly Drawing[]>>();

  private readonly defaults = new Map<"all", Promise<boolean>>();
  /** Graphs of which the server does not show what is in them. */
  private readonly hidden = new Set<string>();
  /** By graph and node. The oldest threads may be of a graph without the nodes of newer ones. */
  private readonly probes = new Map<string, number>();
  private readonly withMemory = new Set<string>();

  constructor(private readonly server: ConversationServer) {}

  /** Whether to look for memory below a node where subgraphs have no names: until threads with it have shown none. */
  isProbed(graphId: string, node: string): boolean {
    if (this.server.isPython && !this.hidden.has(graphId)) return false;
    return this.withMemory.has(graphId) || (this.probes.get(`${graphId}/${node}`) ?? 0) < MAX_PROBES;
  }

  noteProbe(graphId: string, nodes: ReadonlySet<string>, hasMemory: boolean): void {
    if (hasMemory) this.withMemory.add(graphId);
    for (const node of nodes) this.probes.set(`${graphId}/${node}`, (this.probes.get(`${graphId}/${node}`) ?? 0) + 1);
  }

  /** Whether the server has the graph, as far as it shows: with custom authentication, nobody may see its graphs. */
  async has(graphId: string): Promise<boolean> {
    return (await this.assistantOf(graphId)) !== undefined || !(await this.showsDefaults());
  }

  private showsDefaults(): Promise<boolean> {
    return keepOnceRead(this.defaults, "all", async () => {
      const body = { metadata: { created_by: "system" }, limit: 1 };
      const found = await this.server
        .readJson<unknown[]>({ method: "POST", path: "/assistants/search", body })
        .catch(ignoreRejection);
      return found !== undefined && found.length > 0;
    });
  }

  /** Returns the names of the subgraphs of a graph, `outer|inner` for nested ones. Not every server shows them. */
  subgraphsOf(graphId: string | undefined): Promise<readonly string[]> {
    // One in JavaScript takes seconds to fail.
    if (!this.server.isPython) return Promise.resolve([]);
    return this.once(this.subgraphs, graphId, (path) =>
      this.server
        .readJson<object>({ method: "GET", path: `${path}/subgraphs`, search: "recurse=true" })
        .then(Object.keys),
    );
  }

  /** Returns the nodes of a graph, first those that have an edge to each of some others. */
  async nodesBefore(graphId: string | undefined, next: readonly string[]): Promise<string[]> {
    const [drawing] = await this.once(this.drawings, graphId, async (path) => [
      await this.server.readJson<Drawing>({ method: "GET", path: `${path}/graph` }),
    ]);
    const { nodes = [], edges = [] } = drawing ?? {};
    const targets = next.length > 0 ? next : ["__end__"];
    const leads = (id: string) =>
      targets.every((target) => edges.some((edge) => edge.source === id && edge.target === target));
    const ids = nodes.flatMap(({ id }) => (typeof id === "string" && id !== "__end__" ? [id] : []));
    const rest = ids.filter((id) => !leads(id) && !id.startsWith("__"));
    return [...ids.filter(leads), ...rest];
  }

  private once<T>(
    known: Map<string, Promise<readonly T[]>>,
    graphId: string | undefined,
    read: (path: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    if (graphId === undefined) return Promise.resolve([]);
    return keepOnceRead(known, graphId, async () => {
      const id = await this.assistantOf(graphId);
      const shown = id === undefined ? undefined : await read(`/assistants/${id}`).catch(ignoreRejection);
      if (!shown) this.hidden.add(graphId);
      return shown ?? [];
    });
  }

  private assistantOf(graphId: string): Promise<string | undefined> {
    return keepOnceRead(this.assistants, graphId, async () => {
      const body = { graph_id: graphId, limit: 1 };
      const found = await this.server
        .readJson<{ assistant_id: string }[]>({ method: "POST", path: "/assistants/search", body })
        .catch(ignoreRejection);
      return found?.[0]?.assistant_id;
    });
  }
}

/** A failure of the server for a moment is not kept: it would cost every later thread of the graph. */
function keepOnceRead<K, V>(known: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> {
  const found = known.get(key);
  if (found) return found;
  const result = read();
  known.set(key, result);
  result.catch(() => known.delete(key));
  return result;
}

/** Not every server shows its graphs, or all that is in each. */
const ignoreRejection = recoverRejection(() => undefined);
