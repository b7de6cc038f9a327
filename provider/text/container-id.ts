/** IDs that are unique only within a container: `<ID of the container>/<ID>` or `<URL of the container>/<ID>`. */

/** The names of the inputs that identify the container. */
export interface ContainerInputs {
  id: string;
  url: string;
}

export interface ContainedId {
  /** The ID of the object itself. */
  own: string;
  id?: string;
  url?: string;
}

/** Returns the parts of an ID; undefined when the container is missing. */
export function splitContainedId(whole: string): ContainedId | undefined {
  const [, container, own] = /^(.+)\/([^/]+)$/.exec(whole) ?? [];
  if (!container || !own) return undefined;
  return container.includes("://") ? { own, url: container } : { own, id: container };
}

/** Returns the whole ID of an object. @param inputs The inputs of which one identifies the container. */
export function joinContainedId(
  own: string,
  inputs: Readonly<Record<string, unknown>>,
  names?: ContainerInputs,
): string {
  const container = names && (inputs[names.url] ?? inputs[names.id]);
  return container === undefined ? own : `${container}/${own}`;
}

export const describeContainedId = (whole: string, { id, url }: ContainerInputs): string =>
  `an ID alone is not enough; expected "<${id}>/<ID>" or "<${url}>/<ID>", got "${whole}".`;
