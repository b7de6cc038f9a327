/** Prints the load time of the SDK after @pulumi/pulumi. Runs in the folder of the program. */
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/_`);
require("@pulumi/pulumi");
const begin = performance.now();
require("pulumi-agentgraph");
console.log(JSON.stringify({ sdk: performance.now() - begin }));
