/** Bad and good revisions in programs of other languages; typescript.release.test.ts tries all of them. */
import { copyFile, cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { describeWithTools } from "../../support/tools";
import { ROOT } from "../support/checkout";
import type { CliStack } from "../support/cli-stack";
import { copyExample, createJavaProgram, createProgram, installPythonSdk, pathWith } from "../support/languages";
import { BAD, GOOD } from "./revisions";
import { agentWorld, type Declare, VerifiedRollouts } from "./story";

const world = agentWorld();

/** One bad revision of each check, and those with another secret or variable. */
const SAMPLE = ["wrong-answer", "report-500", "half-of-sums", "no-node", "self-test-fails", undefined];
const bad = BAD.filter(({ behavior }) => SAMPLE.includes(behavior));
const good = GOOD.filter(({ behavior }) => ["one-500", "six-of-eight-sums", undefined].includes(behavior));

/** Rolls revisions out. @param count How many of them: some hosts compile the program each time. */
async function expectVerified(stack: CliStack, declare: Declare, count = bad.length): Promise<void> {
  const rollouts = new VerifiedRollouts(world, stack, declare);
  await rollouts.start({ behavior: "plain" });
  for (const [index, revision] of bad.slice(-count).entries()) {
    await rollouts.isUndone(revision);
    const next = good[index];
    if (next) await rollouts.stays(next);
  }
  expect(await stack.destroy()).toMatchObject({ code: 0 });
}

interface Inputs {
  sourceRevisionConfig: { imageUri: string };
  environment: { MODEL: string };
  secrets?: { MODEL_API_KEY: string };
}

/** The programs in programs/ read from their environment what differs. */
const declareInEnvironment: Declare = async ({ env }, inputs) => {
  const { sourceRevisionConfig, environment, secrets } = inputs as unknown as Inputs;
  const [, release = ""] = /:([\d.]+)-/.exec(sourceRevisionConfig.imageUri) ?? [];
  Object.assign(env, { RELEASE: release, IMAGE: sourceRevisionConfig.imageUri, MODEL: environment.MODEL });
  if (secrets) env.KEY = secrets.MODEL_API_KEY;
  else delete env.KEY;
};

const copySource = (name: string, path: string) => copyFile(join(__dirname, "programs", name), path);

describeWithTools("A YAML program", ["pulumi-language-yaml"], (tools) => {
  test("undoes bad revisions, and keeps good ones", async () => {
    const program = await createProgram(await world.createFolder("yaml"), "yaml");
    const project = await readFile(join(program.folder, "Pulumi.yaml"), "utf8");
    const stack = await world.stack({ project: "yaml", program, env: pathWith(tools["pulumi-language-yaml"]) });
    await expectVerified(stack, (_stack, properties) =>
      program.file(
        "Pulumi.yaml",
        project + stringify({ resources: { agent: { type: "agentgraph:Deployment", properties } } }),
      ),
    );
  });
});

describeWithTools("A Python program", ["python", "pulumi-language-python"], (tools) => {
  test("undoes bad revisions, and keeps good ones", async () => {
    const program = await createProgram(await world.createFolder("python"), "python");
    await copySource("main.py", join(program.folder, "__main__.py"));
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    const env = { ...pathWith(tools.python, tools["pulumi-language-python"]), PYTHONPATH: site };
    await expectVerified(await world.stack({ project: "python", program, env }), declareInEnvironment);
  });
});

describeWithTools("A Go program", ["pulumi-language-go"], (tools) => {
  test("undoes bad revisions, and keeps good ones", async () => {
    const folder = await world.createFolder("go");
    await cp(join(ROOT, "sdk/go"), join(folder, "sdk/go"), { recursive: true });
    const program = await copyExample("go-quickstart", join(folder, "examples/go-quickstart"));
    await copySource("main.go", join(program.folder, "main.go"));
    const env = pathWith(tools["pulumi-language-go"]);
    const stack = await world.stack({ project: "agentgraph-go-quickstart", program, env });
    await expectVerified(stack, declareInEnvironment, 3);
  });
});

describeWithTools("A Java program", ["maven", "pulumi-language-java"], (tools) => {
  test("undoes bad revisions, and keeps good ones", async () => {
    const program = await createJavaProgram(await world.createFolder("java"));
    await copySource("App.java", join(program.folder, "src/main/java/App.java"));
    const stack = await world.stack({ project: "java", program, env: pathWith(tools["pulumi-language-java"]) });
    await expectVerified(stack, declareInEnvironment, 3);
  });
});
