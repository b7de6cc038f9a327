/** Lists the resources on the server and selects those that the command line asks for. */
import type { Remote } from "../../provider/definition/adopt";
import type { Definition } from "../../provider/definition/definition";
import { FunctionRunner } from "../../provider/functions/index";
import { HttpError } from "../../provider/http/errors";
import { containerOf, pathsOf } from "../../provider/schema/fields";
import { describeMissing } from "../../provider/settings/missing-settings";
import { readSettings, type Settings } from "../../provider/settings/settings";
import type { Config } from "../shared/stack-config";
import { UsageError } from "../shared/subcommand";
import { type Candidate, definitionOf, definitionsByKind, type Kind, type Skipped } from "./types";

/** Whether it can be listed without naming another resource first, such as the deployment of threads. */
export const isListedByDefault = ({ schema }: Definition): boolean => containerOf(schema) === undefined;

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

export interface ListResult {
  candidates: Candidate[];
  skipped: Skipped[];
}

interface Deployment extends Remote {
  name: string;
  status: string;
}

/** Returns the kinds of the tracing API. */
const tracingKinds = () =>
  [...definitionsByKind()].filter(([, { server }]) => server === "tracing").map(([kind]) => kind);
const EMPTY_LIST: ListResult = { candidates: [], skipped: [] };

export class ResourceFinder {
  /** What could not be listed, and why. */
  readonly notes: string[] = [];
  private readonly settings: Settings;
  private readonly functions = new FunctionRunner();
  private deploymentList: Promise<Deployment[]> | undefined;
  /** Results by the name of the function that lists them. */
  private readonly lists = new Map<string, Promise<Remote[]>>();

  constructor(
    private readonly filter: Filter,
    private readonly config: Config,
  ) {
    this.settings = readSettings((key) => config[key]);
  }

  /** Whether every kind that needs no other resource to be named was listed completely. */
  get isComplete(): boolean {
    const isEvery = [...definitionsByKind()].every(
      ([kind, definition]) => !isListedByDefault(definition) || this.isRequested(kind),
    );
    return isEvery && !this.isNarrow && this.notes.length === 0;
  }

  /** Whether only some deployments were requested; then only the exports of their projects are adopted. */
  get isNarrow(): boolean {
    return this.filter.deployments !== undefined || this.filter.nameContains !== undefined;
  }

  async deployments(): Promise<ListResult> {
    const needed = this.isRequested("deployments") || (this.isNarrow && this.isRequested(...tracingKinds()));
    if (!needed || !this.canReach("controlPlane", "Deployments")) return EMPTY_LIST;
    return this.partition("deployments", this.selectDeployments(await this.allDeployments()));
  }

  /** Lists destinations, exports and schedules. @param projects Names of the adopted tracing projects by ID. */
  async tracingResources(projects: ReadonlyMap<string, string>): Promise<ListResult[]> {
    const kinds = tracingKinds();
    if (!this.isRequested(...kinds) || !this.canReach("tracing", "Exports and destinations")) return [];
    const lists = await Promise.all(kinds.map(async (kind) => ({ kind, items: await this.list(kind) })));
    const isOfProject = ({ id, sessionId }: Remote) => [id, sessionId].some((one) => projects.has(one as string));
    const referencedIds = new Set(
      lists.flatMap(({ kind, items }) => {
        const references = pathsOf(definitionOf(kind).schema, ({ reference }) => reference);
        return items.filter(isOfProject).flatMap((item) => references.map((path) => item[path]));
      }),
    );
    const inScope = (items: readonly Remote[]) =>
      this.isNarrow ? items.filter((item) => isOfProject(item) || referencedIds.has(item.id)) : items;
    return lists
      .filter(({ kind }) => this.isRequested(kind))
      .map(({ kind, items }) => this.partition(kind, inScope(items), { projects }));
  }

  async threads(): Promise<ListResult> {
    const lists = await Promise.all(this.filter.threadsOf.map((name) => this.threadsOf(name)));
    return {
      candidates: lists.flatMap(({ candidates }) => candidates),
      skipped: lists.flatMap(({ skipped }) => skipped),
    };
  }

  private async threadsOf(nameOrId: string): Promise<ListResult> {
    const [deployment] = selectByName(await this.allDeployments(), [nameOrId], "--deployment");
    const deploymentId = String(deployment?.id);
    const { listedBy } = definitionOf("threads").adopt;
    const threads = await this.callFunction(listedBy, { deploymentId, metadata: this.filter.metadata });
    const items = threads.map((thread): Remote => ({ ...thread, id: String(thread.threadId) }));
    return this.partition("threads", items, { deploymentId });
  }

  /** Splits the resources of a kind into those to adopt and those to skip. */
  private partition(
    kind: Kind,
    items: readonly Remote[],
    { projects = new Map(), deploymentId }: { projects?: ReadonlyMap<string, string>; deploymentId?: string } = {},
  ): ListResult {
    const { isOfThisKind, title, skip, toInputs } = definitionOf(kind).adopt;
    const container = deploymentId === undefined ? {} : { deploymentId };
    const all = items
      .filter((item) => isOfThisKind?.(item) ?? true)
      .map((item) => {
        const facts = { kind, id: item.id, title: title(item, projects) };
        const reason = skip?.(item, this.filter);
        return reason === undefined
          ? { ...facts, declared: toInputs(item, container, this.settings) }
          : { ...facts, reason };
      });
    return {
      skipped: all.flatMap((one) => ("reason" in one ? [one] : [])),
      candidates: all.flatMap((one) => ("declared" in one ? [one] : [])),
    };
  }

  private selectDeployments(all: readonly Deployment[]): readonly Deployment[] {
    const { deployments, nameContains = "" } = this.filter;
    const selected = deployments === undefined ? all : selectByName(all, deployments, "--deployments");
    return selected.filter(({ name }) => name.includes(nameContains));
  }

  private allDeployments(): Promise<Deployment[]> {
    this.deploymentList ??= this.callFunction("getDeployments") as Promise<Deployment[]>;
    return this.deploymentList;
  }

  private isRequested(...kinds: Kind[]): boolean {
    return kinds.some((kind) => this.filter.only.includes(kind));
  }

  /** Whether a server can be asked; without its settings it is skipped, unless --only names one of its kinds. */
  private canReach(server: "controlPlane" | "tracing", what: string): boolean {
    const missing = this.settings.missing[server];
    if (missing.length === 0 || this.filter.only.length < definitionsByKind().size) return true;
    this.notes.push(`${what} were skipped. ${describeMissing(missing)}`);
    return false;
  }

  private async callFunction(name: string, args: object = {}): Promise<Remote[]> {
    return (await this.functions.run(name, args, (key) => this.config[key])) as Remote[];
  }

  /** Lists a kind once for all kinds that share the list. A server may lack the route. */
  private list(kind: Kind): Promise<Remote[]> {
    const { listedBy } = definitionOf(kind).adopt;
    const list =
      this.lists.get(listedBy) ??
      this.callFunction(listedBy).catch((error: unknown) => {
        if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
        this.notes.push(`This server cannot list ${kind}, so none were adopted.`);
        return [];
      });
    this.lists.set(listedBy, list);
    return list;
  }
}

/** Selects deployments by name or ID. @throws UsageError that names those that do not exist. */
function selectByName(all: readonly Deployment[], namesOrIds: readonly string[], option: string): Deployment[] {
  const matches = ({ id, name }: Deployment, nameOrId: string) => id === nameOrId || name === nameOrId;
  const missing = namesOrIds.filter((nameOrId) => !all.some((deployment) => matches(deployment, nameOrId)));
  if (missing.length === 0)
    return all.filter((deployment) => namesOrIds.some((nameOrId) => matches(deployment, nameOrId)));
  const names = all.map(({ name }) => name).sort();
  const listed =
    names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
  throw new UsageError(
    `${option}: no deployment ${missing.join(", ")} exists. Existing deployments: ${listed || "none"}.`,
  );
}
