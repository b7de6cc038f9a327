/** Lists the objects of agent servers, each kind of each server once. */
import { NoCronsError } from "../../provider/api/agent-server/crons";
import type { Remote } from "../../provider/definition/listing";
import { HttpError } from "../../provider/http/errors";
import { pathsOf } from "../../provider/schema/fields";
import type { PropertyMap } from "../../provider/schema/schema";
import { UserError } from "../../provider/text/user-error";
import { definitionOf, definitionsByKind, type Kind } from "./types";

export interface AgentServer {
  /** What messages call it: the name of its deployment, or its URL. */
  name: string;
  /** The inputs that name it. */
  container: { deploymentId: string } | { deploymentUrl: string };
  /** Whether the command line names it, so that it must respond. */
  isNamed: boolean;
}

export const serverOf = ({ id, name }: { id: string; name: string }): AgentServer => ({
  name: `deployment ${name}`,
  container: { deploymentId: id },
  isNamed: true,
});
export const serverAt = (url: string): AgentServer => ({
  name: `the agent server at ${url}`,
  container: { deploymentUrl: url },
  isNamed: true,
});

export interface AgentServerListsOptions {
  /** Lists the objects of a kind. */
  list: (kind: Kind, container: AgentServer["container"], metadata: PropertyMap | undefined) => Promise<Remote[]>;
  note: (text: string) => void;
}

export class AgentServerLists {
  private readonly lists = new Map<string, Promise<Remote[]>>();

  constructor(private readonly options: AgentServerListsOptions) {}

  /**
   * Lists the objects of a kind; none where the server has no such objects, or does not respond, which a note reports.
   */
  list(kind: Kind, server: AgentServer, metadata?: PropertyMap): Promise<Remote[]> {
    const key = JSON.stringify([kind, server.container]);
    const list =
      this.lists.get(key) ??
      this.options.list(kind, server.container, metadata).catch((error: unknown) => this.settle(error, kind, server));
    this.lists.set(key, list);
    return list;
  }

  /** Returns what references of a kind name objects by that are not adopted, by their IDs. */
  async aliases(kind: Kind, server: AgentServer): Promise<ReadonlyMap<unknown, string>> {
    const { schema } = definitionOf(kind);
    const targets = schema.fields.flatMap(({ reference }) => reference?.kind ?? []);
    const aliased = [...definitionsByKind()].filter(
      ([, target]) => targets.includes(target.kind) && target.adopt.alias,
    );
    const entries = aliased.map(async ([target, { adopt }]) => {
      const items = await this.list(target, server);
      return items.flatMap((item): [string, string][] => {
        const alias = adopt.alias?.(item);
        return alias === undefined ? [] : [[item.id, alias]];
      });
    });
    return new Map((await Promise.all(entries)).flat());
  }

  private settle(error: unknown, kind: Kind, { name, isNamed }: AgentServer): Remote[] {
    if (!(error instanceof UserError)) throw error;
    const { isListedOnRequest } = definitionOf(kind).adopt;
    const hasNone = error instanceof NoCronsError || (error instanceof HttpError && error.isUnsupportedRoute);
    if (isNamed && !(hasNone && !isListedOnRequest)) throw error;
    if (!hasNone)
      this.options.note(`The ${kind} of ${name} could not be listed, so none of them were adopted: ${error.message}`);
    return [];
  }
}

/** Returns the inputs with the aliases of what they refer to. */
export function withAliases(kind: Kind, inputs: PropertyMap, aliases: ReadonlyMap<unknown, string>): PropertyMap {
  const references = pathsOf(definitionOf(kind).schema, ({ reference }) => reference);
  const renamed = references.flatMap((path): [string, string][] => {
    const alias = aliases.get(inputs[path]);
    return alias === undefined ? [] : [[path, alias]];
  });
  return { ...inputs, ...Object.fromEntries(renamed) };
}
