/** Every example in TypeScript runs. */
import { examples, runExample, withOtherProviders } from "../support/programs/examples";
import { World } from "../support/world";

const world = new World();

/** Those that are not run with `pulumi up` alone: each has its own test, or another file runs it. */
const otherwiseTested = [
  ...["automation", "ci", "fleet", "local-agent", "policy-pack", "preview-environments", "promotion"],
  ...withOtherProviders,
];

test.each(examples.filter((example) => !otherwiseTested.includes(example)))(
  "the example %s runs, shows no drift and is destroyed completely",
  (example) => runExample(world, example),
);
