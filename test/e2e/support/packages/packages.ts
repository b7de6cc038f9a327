/** The packages as users install them. test/support/run/pack.ts packs them for the run. */
import { join } from "node:path";

/** Returns the folder of an installed package. */
export function packageFolder(name: "pulumi-agentgraph" | "pulumi-agentgraph-emulator" = "pulumi-agentgraph"): string {
  const { TEST_PACKAGES } = process.env;
  if (!TEST_PACKAGES) throw new Error("Only the layers e2e and release pack the packages.");
  return join(TEST_PACKAGES, name, "node_modules", name);
}
