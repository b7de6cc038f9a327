import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as Protobuf from "google-protobuf";

export interface GrpcModules {
  grpc: typeof Grpc;
  protobuf: typeof Protobuf;
}

/**
 * Loads the packages that the SDK has, because they are dependencies of the SDK and not of this package. Node 22 may
 * resolve the SDK to a symbolic link, such as those of pnpm, and beside a link there are no dependencies.
 */
export function modulesOfSdk(): GrpcModules {
  const requireOfSdk = createRequire(realpathSync(require.resolve("@pulumi/pulumi")));
  return { grpc: requireOfSdk("@grpc/grpc-js"), protobuf: requireOfSdk("google-protobuf") };
}

/** gRPC sends even what stays on this machine to a proxy that the environment names in lower case. */
export const WITHOUT_PROXY = { "grpc.enable_http_proxy": 0 } as const;
