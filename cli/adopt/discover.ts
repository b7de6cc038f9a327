/** Lists the resources on the server and selects those that the command line asks for. */
import type { Remote } from "../../provider/definition/adopt";
import { run } from "../../provider/functions/index";
import { HttpError } from "../../provider/http/errors";
import { describeMissing } from "../../provider/settings/missing-settings";
import { readSettings, type Settings } from "../../provider/settings/settings";
import type { Config } from "../shared/stack-config";
import { UsageError } from "../shared/subcommand";
import { type Candidate, definitionOf, isFoundUnasked, type Kind, kinds, type LeftOut } from "./types";

export interface Filter {
  only: readonly Kind[];
  /** Names or IDs; all if absent. */
  deployments?: readonly string[] | undefined;
  nameContains?: string | undefined;
  includeEnded: boolean;
  includeOwned: boolean;
  /** Names or IDs of deployments whose threads are adopted. */
  threadsOf: readonly string[];
  /** Metadata that those threads must have. */
  metadata: Readonly<Record<string, string>>;
}

export interface Listed {
  candidates: Candidate[];
  left: LeftOut[];
}

interface Deployment extends Remote {
  name: string;
  status: string;
}

/** Returns the kinds of the tracing API. */
const ofTracing = () => [...kinds()].filter(([, { server }]) => server === "tracing").map(([kind]) => kind);
const NONE: Listed = { candidates: [], left: [] };

export class Finder {
  /** What could not be listed, and why. */
  readonly notes: string[] = [];
  private readonly settings: Settings;
  private all: Promise<Deployment[]> | undefined;
  /** Results by the name of the function that lists them. */
  private readonly lists = new Map<string, Promise<Remote[]>>();

  constructor(
    private readonly filter: Filter,
    private readonly config: Config,
  ) {
    this.settings = readSettings((key) => config[key]);
  }

  /** Whether every kind that needs no other resource to be named was listed completely. */
  get lookedAtAll(): boolean {
    const isEvery = [...kinds()].every(([kind, definition]) => !isFoundUnasked(definition) || this.wants(kind));
    return isEvery && !this.isNarrow && this.notes.length === 0;
  }

  /** Whether only some deployments were requested; then only the exports of their projects are adopted. */
  get isNarrow(): boolean {
    return this.filter.deployments !== undefined || this.filter.nameContains !== undefined;
  }

  async deployments(): Promise<Listed> {
    const needed = this.wants("deployments") || (this.isNarrow && this.wants(...ofTracing()));
    if (!needed || !this.reaches("controlPlane", "Deployments")) return NONE;
    return this.listed("deployments", this.chosen(await this.everyDeployment()));
  }

  /** Lists destinations, exports and schedules. @param projects Names of the adopted tracing projects by ID. */
  async onTracing(projects: ReadonlyMap<string, string>): Promise<Listed[]> {
    const there = ofTracing();
    if (!this.wants(...there) || !this.reaches("tracing", "Exports and destinations")) return [];
    const lists = await Promise.all(there.map(async (kind) => ({ kind, items: await this.list(kind) })));
    const isOfProject = ({ id, sessionId }: Remote) => [id, sessionId].some((one) => projects.has(one as string));
    const used = new Set(
      lists.flatMap(({ kind, items }) => {
        const references = Object.keys(definitionOf(kind).adopt.references);
        return items.filter(isOfProject).flatMap((item) => references.map((path) => item[path]));
      }),
    );
    const within = (items: readonly Remote[]) =>
      this.isNarrow ? items.filter((item) => isOfProject(item) || used.has(item.id)) : items;
    return lists
      .filter(({ kind }) => this.wants(kind))
      .map(({ kind, items }) => this.listed(kind, within(items), { projects }));
  }

  async threads(): Promise<Listed> {
    const found = await Promise.all(this.filter.threadsOf.map((name) => this.threadsOf(name)));
    return { candidates: found.flatMap(({ candidates }) => candidates), left: found.flatMap(({ left }) => left) };
  }

  private async threadsOf(nameOrId: string): Promise<Listed> {
    const [deployment] = named(await this.everyDeployment(), [nameOrId], "--deployment");
    const deploymentId = String(deployment?.id);
    const { listedBy } = definitionOf("threads").adopt;
    const threads = await this.look(listedBy, { deploymentId, metadata: this.filter.metadata });
    const items = threads.map((thread): Remote => ({ ...thread, id: String(thread.threadId) }));
    return this.listed("threads", items, { deploymentId });
  }

  /** Splits the resources of a kind into those to adopt and those to skip. */
  private listed(
    kind: Kind,
    items: readonly Remote[],
    { projects = new Map(), deploymentId }: { projects?: ReadonlyMap<string, string>; deploymentId?: string } = {},
  ): Listed {
    const { isOfThisKind: isOne, title, skip, toInputs } = definitionOf(kind).adopt;
    const { controlPlaneUrl } = this.settings;
    const place = {
      origins: controlPlaneUrl ? [controlPlaneUrl.origin] : [],
      ...(deploymentId !== undefined && { deploymentId }),
    };
    const all = items
      .filter((item) => isOne?.(item) ?? true)
      .map((item) => {
        const facts = { kind, id: item.id, title: title(item, projects) };
        const why = skip?.(item, this.filter);
        return why === undefined ? { ...facts, declared: toInputs(item, place) } : { ...facts, why };
      });
    return {
      left: all.flatMap((one) => ("why" in one ? [one] : [])),
      candidates: all.flatMap((one) => ("declared" in one ? [one] : [])),
    };
  }

  private chosen(all: readonly Deployment[]): readonly Deployment[] {
    const { deployments, nameContains = "" } = this.filter;
    const those = deployments === undefined ? all : named(all, deployments, "--deployments");
    return those.filter(({ name }) => name.includes(nameContains));
  }

  private everyDeployment(): Promise<Deployment[]> {
    this.all ??= this.look("getDeployments") as Promise<Deployment[]>;
    return this.all;
  }

  private wants(...kinds: Kind[]): boolean {
    return kinds.some((kind) => this.filter.only.includes(kind));
  }

  /** Whether a server can be asked; without its settings it is skipped, unless --only names one of its kinds. */
  private reaches(server: "controlPlane" | "tracing", what: string): boolean {
    const missing = this.settings.missing[server];
    if (missing.length === 0 || this.filter.only.length < kinds().size) return true;
    this.notes.push(`${what} were skipped. ${describeMissing(missing)}`);
    return false;
  }

  private async look(name: string, args: object = {}): Promise<Remote[]> {
    return (await run(name, args, (key) => this.config[key])) as Remote[];
  }

  /** Lists a kind once for all kinds that share the list. A server may lack the route. */
  private list(kind: Kind): Promise<Remote[]> {
    const { listedBy } = definitionOf(kind).adopt;
    const list =
      this.lists.get(listedBy) ??
      this.look(listedBy).catch((error: unknown) => {
        if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
        this.notes.push(`This server cannot list ${kind}, so none were adopted.`);
        return [];
      });
    this.lists.set(listedBy, list);
    return list;
  }
}

/** Selects deployments by name or ID. @throws UsageError that names those that do not exist. */
function named(all: readonly Deployment[], wanted: readonly string[], option: string): Deployment[] {
  const isIt = ({ id, name }: Deployment, word: string) => id === word || name === word;
  const missing = wanted.filter((word) => !all.some((deployment) => isIt(deployment, word)));
  if (missing.length === 0) return all.filter((deployment) => wanted.some((word) => isIt(deployment, word)));
  const names = all.map(({ name }) => name).sort();
  const there = names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
  throw new UsageError(
    `${option}: no deployment ${missing.join(", ")} exists. Existing deployments: ${there || "none"}.`,
  );
}
