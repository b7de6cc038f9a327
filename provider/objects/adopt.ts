/** What the adoption of objects of an agent server has in common. */
import type { AdoptFacts, Remote } from "../definition/adopt";
import type { Context } from "../definition/context";
import type { PropertyMap } from "../schema/schema";
import type { ObjectNames } from "./kind";
import { type AgentEndpoint, type Location, resolveEndpoint } from "./server/endpoint";

/** @param find Reads an object; undefined when the server responded and it does not exist. */
export const adoptDefaults = (
  { noun, keys }: ObjectNames,
  find: (id: string, endpoint: AgentEndpoint, ctx: Context) => Promise<PropertyMap | undefined>,
): Required<Pick<AdoptFacts, "noun" | "skip" | "fetch">> => ({
  noun,
  skip: ({ metadata }, { includeOwned }) =>
    !includeOwned && (metadata as PropertyMap | undefined)?.[keys.object] != null
      ? "it has the ownership marker of a Pulumi resource (--include-owned)"
      : undefined,
  async fetch(id, container: Location, ctx) {
    const endpoint = await resolveEndpoint(`${noun}s`, container, ctx);
    const object = endpoint && (await find(id, endpoint, ctx));
    return object && { ...object, id };
  },
});

/** Returns the title that the metadata of an object contain, if it is short. */
export function titleIn({ metadata }: Remote): string | undefined {
  const { title, name } = (metadata ?? {}) as PropertyMap;
  return [title, name].find((text) => typeof text === "string" && text.length > 0 && text.length <= 40) as
    | string
    | undefined;
}

/** Returns the input that names the server. */
export const locationOf = ({ deploymentId, deploymentUrl }: PropertyMap): PropertyMap =>
  deploymentUrl === undefined ? { deploymentId } : { deploymentUrl };
