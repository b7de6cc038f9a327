/** Lists the resources on the server and selects those that the command line asks for. */
import type { Clients } from "../../provider/api/clients";
import { collectAll } from "../../provider/api/pagination";
import type { Definition } from "../../provider/definition/definition";
import type { Listing, Remote } from "../../provider/definition/listing";
import { functionsOfProgram } from "../../provider/functions/index";
import { HttpError } from "../../provider/http/errors";
import { pathsOf } from "../../provider/schema/fields";
import type { PropertyMap } from "../../provider/schema/schema";
import { describeMissing } from "../../provider/settings/setting-warnings";
import { readSettings, type Settings } from "../../provider/settings/settings";
import type { Config } from "../shared/pulumi/stack-config";
import { UsageError } from "../shared/subcommand";
import { type AgentServer, AgentServerLists, serverAt, serverOf, withAliases } from "./agent-servers";
import { type ManagedProjects, type Ownership, ownershipOf } from "./managed-projects";
import { definitionOf, definitionsByKind, type Filter, type Kind, type ListResult } from "./types";

/** Whether it is adopted without a request for it. */
export const isListedByDefault = ({ adopt }: Definition): boolean => !adopt.isListedOnRequest;

interface Deployment extends Remote {
  name: string;
  status: string;
  url?: string | null;
}

/** What the conversion of a kind to inputs depends on. */
interface Surroundings {
  /** Names of the adopted tracing projects by ID. */
  projects?: ReadonlyMap<string, string>;
  /** The inputs that name the agent server. */
  container?: PropertyMap;
  /** What references name objects by that are not adopted, by their IDs. */
  aliases?: ReadonlyMap<unknown, string>;
  /** Why objects that others manage are not adopted, by their IDs. */
  owned?: Ownership["reasons"];
}

/** Returns the kinds of the tracing API. */
const tracingKinds = () =>
  [...definitionsByKind()].filter(([, { server }]) => server === "tracing").map(([kind]) => kind);
const EMPTY_LIST: ListResult = { candidates: [], skipped: [] };

export class ResourceFinder {
  /** What could not be listed, and why. */
  readonly notes: string[] = [];
  /** What is known of the owners of exports and destinations. */
  ownership: Ownership = { reasons: new Map(), cautions: new Map() };
  private readonly settings: Settings;
  private readonly functions = functionsOfProgram();
  private readonly agentServers = new AgentServerLists({
    list: (kind, container, metadata) => this.request(kind, { ...container, metadata }),
    note: (text) => this.notes.push(text),
  });
  private deploymentList: Promise<Deployment[]> | undefined;
  private readonly lists = new Map<Listing["pages"], Promise<Remote[]>>();

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

  /**
   * Lists destinations, exports and schedules.
   * @param projects Names of the adopted tracing projects by ID.
   * @param managed Lists the tracing projects of the deployments that other programs manage.
   */
  async tracingResources(
    projects: ReadonlyMap<string, string>,
    managed: () => Promise<ManagedProjects>,
  ): Promise<ListResult[]> {
    const kinds = tracingKinds();
    if (!this.isRequested(...kinds) || !this.canReach("tracing", "Exports and destinations")) return [];
    const lists = await Promise.all(kinds.map(async (kind) => ({ kind, items: await this.list(kind) }))).catch(
      (error: unknown) => this.skipUnreadable(error),
    );
    const isOfProject = ({ sessionId }: Remote) => projects.has(sessionId as string);
    const referencedIds = new Set(
      lists.flatMap(({ kind, items }) => {
        const references = pathsOf(definitionOf(kind).schema, ({ reference }) => reference);
        return items.filter(isOfProject).flatMap((item) => references.map((path) => item[path]));
      }),
    );
    const inScope = (items: readonly Remote[]) =>
      this.isNarrow ? items.filter((item) => isOfProject(item) || referencedIds.has(item.id)) : items;
    const isEmpty = lists.every(({ items }) => items.length === 0);
    if (!this.filter.includeOwned && !isEmpty) this.ownership = ownershipOf(lists, await managed());
    const { reasons: owned } = this.ownership;
    return lists
      .filter(({ kind }) => this.isRequested(kind))
      .map(({ kind, items }) => this.partition(kind, inScope(items), { projects, owned }));
  }

  /** Lists what is stored on agent servers: of those that the command line names, and by default of all. */
  async agentResources(): Promise<ListResult[]> {
    const kinds = [...definitionsByKind()].filter(([kind, { schema }]) => schema.container && this.isRequested(kind));
    const results = kinds.map(async ([kind, definition]) => {
      const byDefault = isListedByDefault(definition);
      const servers = await (byDefault ? this.allServers() : this.requestedServers());
      const metadata = byDefault ? undefined : this.filter.metadata;
      return Promise.all(
        servers.map(async (server) => {
          const [items, aliases] = await Promise.all([
            this.agentServers.list(kind, server, metadata),
            this.agentServers.aliases(kind, server),
          ]);
          return this.partition(kind, items, { container: server.container, aliases });
        }),
      );
    });
    return (await Promise.all(results)).flat();
  }

  /** Returns the servers of the selected deployments that have one, and those of --agent-urls. */
  private async allServers(): Promise<AgentServer[]> {
    const { agentUrls, only } = this.filter;
    const isSkipped =
      this.settings.missing.controlPlane.length > 0 &&
      (agentUrls.length > 0 || only.length === definitionsByKind().size);
    const deployments = isSkipped ? [] : this.selectDeployments(await this.allDeployments());
    return [
      ...deployments.filter(({ url }) => url != null).map((one) => ({ ...serverOf(one), isNamed: false })),
      ...agentUrls.map(serverAt),
    ];
  }

  /** Returns the servers of --deployment, and those of --agent-urls if threads are requested. */
  private requestedServers(): Promise<AgentServer[]> {
    return Promise.all(
      this.filter.threadsOf.map(async (reference) => {
        if (URL.canParse(reference)) return serverAt(reference);
        const [deployment] = selectByName(await this.allDeployments(), [reference], "--deployment");
        return serverOf(deployment as Deployment);
      }),
    );
  }

  /** Splits the resources of a kind into those to adopt and those to skip. */
  private partition(
    kind: Kind,
    items: readonly Remote[],
    { projects = new Map(), container = {}, aliases = new Map(), owned = new Map() }: Surroundings = {},
  ): ListResult {
    const { adopt, listing } = definitionOf(kind);
    const { title, skip, toInputs } = adopt;
    const all = items
      .filter((item) => listing.isOfThisKind?.(item) ?? true)
      .map((item) => {
        const facts = { kind, id: item.id, title: title(item, projects) };
        const reason = skip?.(item, this.filter) ?? owned.get(item.id);
        return reason === undefined
          ? { ...facts, declared: withAliases(kind, toInputs(item, container, this.settings), aliases) }
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
    this.deploymentList ??= this.request("deployments") as Promise<Deployment[]>;
    return this.deploymentList;
  }

  private isRequested(...kinds: Kind[]): boolean {
    return kinds.some((kind) => this.filter.only.includes(kind));
  }

  /** Whether a server can be asked; without its settings it is skipped, unless --only names one of its kinds. */
  private canReach(server: "controlPlane" | "tracing", what: string): boolean {
    const missing = this.settings.missing[server];
    if (missing.length === 0 || this.isRestricted) return true;
    this.notes.push(`${what} were skipped. ${describeMissing(missing)}`);
    return false;
  }

  /** Notes that nothing is known of exports and destinations: without all of one, the owner of another is unknown. */
  private skipUnreadable(error: unknown): [] {
    if (!(error instanceof HttpError && error.isUnexpected) || this.isRestricted) throw error;
    this.notes.push(`Exports and destinations could not be listed, so none were adopted: ${error.message}`);
    return [];
  }

  /** Whether --only names some kinds. */
  private get isRestricted(): boolean {
    return this.filter.only.length < definitionsByKind().size;
  }

  private request(kind: Kind, args: PropertyMap = {}): Promise<Remote[]> {
    const { listing } = definitionOf(kind);
    const collect = (clients: Clients) => collectAll(listing.pages(args, clients));
    return this.functions.read(`list ${kind}`, args, (key) => this.config[key], collect);
  }

  /** Lists a kind once for all kinds that share the list. A server may lack the route. */
  private list(kind: Kind): Promise<Remote[]> {
    const { pages } = definitionOf(kind).listing;
    const list =
      this.lists.get(pages) ??
      this.request(kind).catch((error: unknown) => {
        if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
        this.notes.push(`This server cannot list ${kind}, so none were adopted.`);
        return [];
      });
    this.lists.set(pages, list);
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
