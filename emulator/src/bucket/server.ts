import type { HostSettings } from "../http/allowed-hosts";
import { type Listener, listenOn } from "../http/listener";
import { lazyModule } from "../runtime/lazy";
import type { BucketKey } from "./requests/signature";
import type { BucketService } from "./service";

/** The address of the bucket server. */
export interface BucketAddress extends HostSettings {
  /** 0: a free port. */
  bucketPort: number;
}

const requestHandler = lazyModule(() => require("./request-handler") as typeof import("./request-handler"));

/** Starts the bucket server. @throws UsageError if the port cannot be used. */
export async function serveBuckets(service: BucketService, settings: BucketAddress, key: BucketKey): Promise<Listener> {
  const { bucketPort: port, host } = settings;
  const pending = new Set<Promise<void>>();
  const address = { port, host, option: "--bucket-port", purpose: "the bucket" };
  const { origin, close } = await listenOn(address, (incoming, outgoing) => {
    const request = requestHandler()
      .handleRequest({ service, key, settings }, incoming, outgoing)
      .finally(() => pending.delete(request));
    pending.add(request);
  });
  return {
    origin,
    async close() {
      await close();
      await Promise.all(pending);
    },
  };
}
