/**
 * fast-check with a fixed seed for all properties and samples that name none, so that a test passes or fails in every
 * run. FUZZ_SEED sets another one. jest.config.js puts this module in the place of the package.
 */
// By its path: jest.config.js maps the name to this file.
const fastCheck = require("../../../node_modules/fast-check/lib/cjs/fast-check.js");

fastCheck.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
module.exports = fastCheck;
