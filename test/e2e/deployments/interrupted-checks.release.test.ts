/** Runs that end during a check, or before or during the return to the last verified revision. */
import type { CliStack } from "../support/cli-stack";
import { waitUntilEnded } from "../support/processes";
import { World } from "../support/world";

const world = new World();

/** Never processed: the request lasts until its process ends. */
const HELD = { delay_ms: 600_000, connection: "reset-before" } as const;
const CHECK = { method: "GET", path: "/agents/*/info" };
const RETURN = { method: "POST", path: "/v2/deployments/*/revisions/*/redeploy" };
/** The second one, since the first is of the revision that fails. */
const WAIT_FOR_RETURN = { method: "GET", path: "/v2/deployments/*/revisions/*", skip: 1 };

const IN_CHECK = { when: "during a check", fails: false, held: CHECK, images: [2, 1] };
const BEFORE_RETURN = { when: "before the return after a failed check", fails: true, held: RETURN, images: [2, 1] };
const IN_RETURN = {
  ...{ when: "during the return after a failed check", fails: true, held: WAIT_FOR_RETURN },
  // The return is live, so that the next up deploys what the program declares.
  images: [2, 1, 2, 1],
};

const [DYNAMIC, NATIVE] = ["pulumi-agentgraph", "pulumi-agentgraph/native"];
const cases = [IN_CHECK, BEFORE_RETURN, IN_RETURN].flatMap((moment) => [
  ...[DYNAMIC, NATIVE].map((module) => ({ how: "kill -9 of the CLI", module, ...moment })),
  // Dynamic resources do not learn of the first Ctrl-C.
  { how: "Ctrl-C", module: NATIVE, ...moment },
]);

const imageOf = (version: number) => `registry.example.com/agent:${version}`;
const declare = ({ program }: CliStack, module: string, version: number) =>
  program.file(
    "index.js",
    `const { Deployment } = require("${module}");
     new Deployment("agent", {
       name: "agent",
       source: "external_docker",
       sourceRevisionConfig: { imageUri: "${imageOf(version)}" },
       verify: [{ http: { path: "/info" }, attempts: 1 }],
     });`,
  );

test.each(cases)(
  "With $module, after $how $when, the next up ends as if nothing had happened, without an unneeded rollout",
  async ({ how, module, fails, held, images }) => {
    await world.emulator.reset();
    const index = cases.findIndex((one) => one.how === how && one.module === module && one.held === held);
    const project = `interrupted-${index}`;
    const stack = await world.stack({ project });
    if (module === NATIVE) await stack.program.usePlugin();
    await declare(stack, module, 1);
    expect(await stack.up()).toMatchObject({ code: 0 });

    await declare(stack, module, 2);
    const { faults } = world.emulator;
    if (fails) await faults.add({ ...CHECK, status: 500 });
    const running = await world.startUpUntil(stack, { ...held, ...HELD }, () => faults.list().length === 0);
    const processes = await running.processes();
    if (how === "Ctrl-C") running.pressCtrlC();
    else await running.kill();
    expect((await running.waitForExit()).code).not.toBe(0);
    await waitUntilEnded(processes.filter(({ role }) => role === "plugin" || role === "host"));
    if (how !== "Ctrl-C") await stack.runOrThrow("cancel", "--yes");

    expect(await stack.up()).toMatchObject({ code: 0 });
    const { id = "", outputs } = (await stack.resources()).get("agent") ?? {};
    const { revisions = [], active_revision_id } = (await world.getDeployment(id)) ?? {};
    expect(revisions.map(({ source_revision_config: { image_uri } }) => image_uri)).toEqual(images.map(imageOf));
    expect(outputs?.verifiedRevisionId).toBe(active_revision_id);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  },
);
