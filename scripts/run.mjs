/** Each command of package.json: `node scripts/run.mjs NAME [options]`. README.md describes them. */
import { start, startTypeScript } from "./setup/start.mjs";

/** Those that install a newer Node, where the running one is older. */
const JAVASCRIPT = { up: () => import("./quickstart/up.mjs"), down: () => import("./quickstart/down.mjs") };

const TYPESCRIPT = {
  acceptance: () => import("./acceptance/run.ts"),
  bench: () => import("./bench/run.ts"),
  chaos: () => import("./chaos/schedules.ts"),
  coverage: () => import("./checks/coverage.ts"),
  docs: () => import("./docs/run.ts"),
  generate: () => import("./generate/run.ts"),
  mutation: () => import("./mutation/run.ts"),
  plugin: () => import("./plugin/run.ts"),
  record: () => import("./record/run.ts"),
  release: () => import("./release/run.ts"),
  test: () => import("./checks/run.ts"),
  tool: () => import("./tools/index.ts"),
  watch: () => import("./watch/run.ts"),
};

const name = process.argv[2];
if (JAVASCRIPT[name]) start(JAVASCRIPT[name]);
else if (TYPESCRIPT[name]) startTypeScript(TYPESCRIPT[name]);
else throw new Error(`node scripts/run.mjs ${[...Object.keys(JAVASCRIPT), ...Object.keys(TYPESCRIPT)].join("|")}`);
