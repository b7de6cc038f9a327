import { type Listener, listenOn } from "../http/listener";
import { lazyModule } from "../runtime/lazy";
import type { BucketKey } from "./requests/signature";
import type { BucketRoom } from "./service";

/** Where buckets are served, and the key that opens them. */
export interface BucketOptions {
  /** 0 takes a free one. */
  port: number;
  host: string;
  key: BucketKey;
}

const requestHandler = lazyModule(() => require("./request-handler") as typeof import("./request-handler"));

/** Starts to serve buckets. Throws UsageError when the port cannot be had. */
export async function serveBuckets(room: BucketRoom, { port, host, key }: BucketOptions): Promise<Listener> {
  const underWay = new Set<Promise<void>>();
  const address = { port, host, option: "--bucket-port", purpose: "the bucket" };
  const { origin, close } = await listenOn(address, (incoming, outgoing) => {
    const work = requestHandler()
      .serve(room, key, host, incoming, outgoing)
      .finally(() => underWay.delete(work));
    underWay.add(work);
  });
  return {
    origin,
    async close() {
      await close();
      await Promise.all(underWay);
    },
  };
}
