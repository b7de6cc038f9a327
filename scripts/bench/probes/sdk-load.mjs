/** Prints how long the SDK takes to load where the SDK of Pulumi already is. Runs in the program's folder. */
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/_`);
require("@pulumi/pulumi");
const begin = performance.now();
require("pulumi-agentgraph");
console.log(JSON.stringify({ sdk: performance.now() - begin }));
