/** How `agentgraph adopt` lists the objects of a kind, how an import fetches one, and how both convert it to inputs. */
import type { Clients } from "../api/clients";
import type { PropertyMap } from "../schema/schema";
import type { Settings } from "../settings/settings";
import type { Context } from "./context";

export type Remote = PropertyMap & { id: string };

/** Lists the objects. @param container The inputs that identify what contains them. @param metadata Those that all have. */
export type ListObjects = (
  container: PropertyMap,
  metadata: PropertyMap | undefined,
  clients: Clients,
) => Promise<Remote[]>;

export interface AdoptFacts {
  /** The name of the kind in reports, such as "deployment"; the command line names it in the plural. */
  readonly noun: string;
  /** How the objects are listed: by the function of this name, which several kinds may share, or by this one. */
  readonly listedBy: string | ListObjects;
  /**
   * Whether they are listed only on request, such as threads, of which a server has many. Those that are adopted are
   * fetched as well, since no search returns all of a thread (API `2B.Thread.ttl:response`). Default: no.
   */
  readonly isListedOnRequest?: true;
  isOfThisKind?(remote: Remote): boolean;
  /** Returns what references name an object by that is not of this kind, such as the graph of a default assistant. */
  alias?(remote: Remote): string | undefined;
  /** Whether the server stores a name; otherwise adopt uses the name in another tool's state. */
  readonly isNamed: boolean;
  /** Returns the title of an object. @param projects Names of adopted tracing projects by ID. */
  title(remote: Remote, projects: ReadonlyMap<string, string>): string;
  skip?(remote: Remote, options: { includeEnded: boolean; includeOwned: boolean }): string | undefined;
  /**
   * Fetches an object for an import; undefined when the server responded and the object does not exist.
   * @param container The inputs that identify what contains it, if its ID is not enough.
   * @throws OwnershipError when the object is of another kind.
   */
  fetch(id: string, container: PropertyMap, ctx: Context): Promise<Remote | undefined>;
  /** Returns the inputs of an object, without server defaults. The program lists them in the order of the schema. */
  toInputs(remote: Remote, container: PropertyMap, settings: Settings): PropertyMap;
}
