/** Prints the load time of the SDK after @pulumi/pulumi. Runs in the folder of the program. */
import { createRequire } from "node:module";

const loadModule = createRequire(`${process.cwd()}/_`);
loadModule("@pulumi/pulumi");
const begin = performance.now();
loadModule("pulumi-agentgraph");
console.log(JSON.stringify({ sdk: performance.now() - begin }));
