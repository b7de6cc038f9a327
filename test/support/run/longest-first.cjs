const { default: Sequencer } = require("@jest/test-sequencer");

/** Files whose tests take longer than their size suggests. */
const LONG = new RegExp(
  "/test/(chaos|e2e/(kills|languages))/|/(docs-pages|examples|pipelines|automation|old-states|adopt|" +
    "bulk-export-files|failure-injection|hostile-responses|properties|random-requests|editor|packed|own-workflows|" +
    "plugin-install|generated)(\\.\\w+)*\\.test\\.ts$",
);

/**
 * Runs the longest test files first, so that no core is idle at the end. Jest knows the durations of earlier runs;
 * without them, as in a new checkout, it sorts by the size of the files.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ duration, path }) => Number(duration === undefined && LONG.test(path));
    return super.sort(tests).toSorted((a, b) => isLong(b) - isLong(a));
  }
};
