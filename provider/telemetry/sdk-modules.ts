import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import type { GrpcModules } from "./open-trace";

/**
 * Loads the packages that the SDK has, because they are dependencies of the SDK and not of this package. Node 22 may resolve
 * the SDK to a symbolic link, such as those of pnpm, and beside a link there are no dependencies.
 */
export function modulesOfSdk(): GrpcModules {
  const requireOfSdk = createRequire(realpathSync(require.resolve("@pulumi/pulumi")));
  return { grpc: requireOfSdk("@grpc/grpc-js"), protobuf: requireOfSdk("google-protobuf") };
}
