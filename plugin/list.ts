/** Lists what exists of a kind and can be imported, for `pulumi do agentgraph:Thread list`. */
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { Clients } from "../provider/api/clients";
import type { Definition } from "../provider/definition/definition";
import type { Remote } from "../provider/definition/listing";
import type { Environment } from "../provider/engine/host/environment";
import { parseArgs } from "../provider/functions/definition";
import { containsUnknown } from "../provider/plan/property-values";
import type { PropertyMap } from "../provider/schema/schema";
import { joinContainedId } from "../provider/text/container-id";
import { InvalidRequestError } from "./errors";
import { runnerOf } from "./functions";
import type { Config } from "./settings";
import { decodeProperties } from "./values";

/** Sends one response. Returns whether the caller still reads them. */
type Send = (response: provider.ListResponse) => boolean;

/** What is known of a run, and the settings. */
interface ListEnvironment extends Environment {
  config: Config;
}

/**
 * Sends the objects as pages of the server arrive. Without a page size everything is one page, since `pulumi do` shows
 * only the first one by default.
 * @throws UserError when the query is invalid, or the server cannot list the objects.
 */
export async function listObjects(
  definition: Definition,
  request: provider.ListRequest,
  { config, ...environment }: ListEnvironment,
  send: Send,
): Promise<void> {
  const { values } = decodeProperties(request.getQuery());
  if (containsUnknown(values)) {
    send(new provider.ListResponse().setComputed(new provider.ListResponse.Computed()));
    return;
  }
  const args = parseArgs(definition.listing, values);
  const range = rangeOf(request);
  await runnerOf(environment).read(`list ${definition.kind}`, args, config, (clients) =>
    sendRange(importable(definition, args, clients), range, send),
  );
}

/** What a request asks for of the whole list, by the positions of objects in it. */
interface Range {
  start: number;
  /** The end of the page. */
  end: number;
  /** The end of all pages. */
  limit: number;
}

/** @throws InvalidRequestError for a token that is not of this provider. */
function rangeOf(request: provider.ListRequest): Range {
  const token = request.getContinuationToken();
  if (!/^\d{0,15}$/.test(token))
    throw new InvalidRequestError(`The continuation token "${token}" is not valid. Pass the one of the last response.`);
  const start = Number(token);
  const [limit, pageSize] = [request.getLimit(), request.getPageSize()].map((count) =>
    count < 1 ? Number.POSITIVE_INFINITY : count,
  ) as [number, number];
  return { start, end: Math.min(limit, start + pageSize), limit };
}

async function sendRange(
  objects: AsyncIterable<provider.ListResponse.Result>,
  { start, end, limit }: Range,
  send: Send,
): Promise<void> {
  let position = 0;
  for await (const object of objects) {
    if (position === end) {
      const next = new provider.ListResponse.Continuation().setContinuationToken(String(end));
      send(new provider.ListResponse().setContinuation(next));
      return;
    }
    if (position >= start && !send(new provider.ListResponse().setResult(object))) return;
    position += 1;
    if (position >= limit) return;
  }
}

/** Yields the objects that an import by their IDs accepts. */
async function* importable(
  { adopt, listing, schema }: Definition,
  args: PropertyMap,
  clients: Clients,
): AsyncGenerator<provider.ListResponse.Result> {
  for await (const page of listing.pages(args, clients)) {
    for (const remote of page) {
      const isOther = listing.isOfThisKind?.(remote) === false;
      if (isOther || adopt.skip?.(remote, { includeEnded: true, includeOwned: true }) !== undefined) continue;
      const id = joinContainedId(remote.id, args, schema.container);
      yield new provider.ListResponse.Result().setId(id).setName(nameOf(remote, adopt, listing).toWellFormed());
    }
  }
}

/** Returns a name such as "refund (graph support, managed by Pulumi)". */
function nameOf(remote: Remote, { title }: Definition["adopt"], { detailsOf }: Definition["listing"]): string {
  const details = detailsOf(remote);
  return `${title(remote, new Map())}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
}
