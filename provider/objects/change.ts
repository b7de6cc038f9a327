/** Changes an object, where its server can. */
import type { ObjectNames } from "./kind";
import { throwDeleted } from "./messages";
import type { AgentEndpoint } from "./server/endpoint";

interface ObjectChange<R> {
  /** Sends the PATCH. It may be sent several times. */
  send: () => Promise<R>;
  /** Returns the object; undefined when it is gone. */
  find: () => Promise<R | undefined>;
}

/** @throws UnsupportedError when the server cannot. @throws OwnershipError when the object is gone. */
export async function changeObject<R>(
  kind: ObjectNames,
  id: string,
  { server }: AgentEndpoint,
  { send, find }: ObjectChange<R>,
): Promise<R> {
  const exists = async () => (await find()) !== undefined;
  return (await server.profile.send(`${kind.noun}s-patch`, { send, exists })) ?? throwDeleted(kind, id);
}
