/** How the objects of a kind are listed, unless the kind says otherwise. */
import { z } from "zod";
import { exactlyOneServer, serverArgs } from "../api/agent-server/server-args";
import { type Listing, MANAGED } from "../definition/listing";
import type { PropertyMap } from "../schema/schema";
import type { ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import type { EndpointInputs } from "./server/endpoint";

/** @param detailsOf Returns what shows which object it is, beside its title and whether Pulumi manages it. */
export function objectListing<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  detailsOf: (remote: R) => readonly string[],
): Listing {
  const { noun, keys } = kind;
  const metadata = z
    .record(z.string(), z.unknown())
    .optional()
    .describe(`Metadata that the ${noun}s contain, by key. Keys keep their spelling.`);
  return {
    args: z.strictObject({ ...serverArgs, metadata }),
    exactlyOne: exactlyOneServer,
    async *pages({ metadata, ...server }: EndpointInputs & { metadata?: PropertyMap }, { agentServers }) {
      for await (const page of kind.list(await agentServers.resolve(`${noun}s`, server), metadata))
        yield page.map((remote) => ({ ...(remote as PropertyMap), id: kind.idOf(remote) }));
    },
    detailsOf(remote) {
      const own = detailsOf(remote as unknown as R);
      return (remote.metadata as R["metadata"])?.[keys.object] == null ? own : [...own, MANAGED];
    },
  };
}
