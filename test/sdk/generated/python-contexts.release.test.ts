/**
 * The types that `agentgraph types` writes in Python for the graphs of published servers: pyright accepts them and
 * rejects mistakes, and Python loads them.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { version } from "../../../package.json";
import { agentgraph } from "../../cli/support/command";
import { describeWithTools } from "../../support/tools";
import { PYTHON_SDK, pyright } from "./pyright";

/** Runs the program with mocks, and prints what a resource got. */
const PROGRAM = `
import json
import pulumi

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return args.name, args.inputs

    def call(self, args):
        return {}

pulumi.runtime.set_mocks(Mocks())

@pulumi.runtime.test
def show():
    from contexts import support
    outputs = pulumi.Output.all(context=support.context, config=support.config)
    return outputs.apply(lambda values: print(json.dumps(values)))

show()
`;
const RECORDINGS = resolve(__dirname, "../../recordings/contexts");

describeWithTools("Typed contexts in Python", ["python"], ({ python }) => {
  const folder = newFolder();
  beforeAll(async () => {
    for (const recording of readdirSync(RECORDINGS)) {
      const file = join(folder, `${recording.split("-")[0]}_server.py`);
      expect((await agentgraph({ args: ["types", join(RECORDINGS, recording), "--out", file] })).code).toBe(0);
    }
    cpSync(join(__dirname, "contexts.py"), join(folder, "contexts.py"));
  });

  it("The strict check of pyright reports each mistake, and nothing else", () => {
    const lines = readFileSync(join(folder, "contexts.py"), "utf8").split("\n");
    const mistakes = lines.flatMap((line, index) => (line.endsWith("# error") ? [index + 1] : []));
    expect(mistakes.length).toBeGreaterThanOrEqual(10);
    expect(pyright(folder, python).map(({ line }) => line)).toEqual(mistakes);
  });

  it("A program with typed contexts runs, and the resources get all values", () => {
    // The SDK asks for its version.
    const metadata = join(folder, `pulumi_agentgraph-${version}.dist-info`);
    mkdirSync(metadata);
    writeFileSync(join(metadata, "METADATA"), `Metadata-Version: 2.1\nName: pulumi_agentgraph\nVersion: ${version}\n`);
    const env = { ...process.env, PYTHONPATH: `${PYTHON_SDK}:${folder}` };
    const output = execFileSync(python, ["-c", PROGRAM], { encoding: "utf8", env });
    expect(JSON.parse(output)).toEqual({
      context: expect.objectContaining({
        user_id: "ann",
        model: "small",
        window: [1, 2],
        "x-trace-id": "a",
        class: "b",
      }),
      config: { configurable: { prefix: "a" } },
    });
  });
});
