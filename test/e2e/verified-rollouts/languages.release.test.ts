/** Bad and good revisions in a program of another language; typescript.release.test.ts tries all of them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { describeWithTools } from "../../support/tools";
import { createProgram, pathWith } from "../support/languages";
import { BAD, GOOD } from "./revisions";
import { agentWorld, VerifiedRollouts } from "./story";

const world = agentWorld();

/** One bad revision of each check, and those with another secret or variable. */
const SAMPLE = ["wrong-answer", "report-500", "half-of-sums", "no-node", "self-test-fails", undefined];
const bad = BAD.filter(({ behavior }) => SAMPLE.includes(behavior));
const good = GOOD.filter(({ behavior }) => ["one-500", "six-of-eight-sums", undefined].includes(behavior));

describeWithTools("A YAML program", ["pulumi-language-yaml"], (tools) => {
  test("undoes bad revisions, and keeps good ones", async () => {
    const program = await createProgram(await world.createFolder("yaml"), "yaml");
    const project = await readFile(join(program.folder, "Pulumi.yaml"), "utf8");
    const stack = await world.stack({ project: "yaml", program, env: pathWith(tools["pulumi-language-yaml"]) });
    const rollouts = new VerifiedRollouts(world, stack, (_stack, properties) =>
      program.file(
        "Pulumi.yaml",
        project + stringify({ resources: { agent: { type: "agentgraph:Deployment", properties } } }),
      ),
    );
    await rollouts.start({ behavior: "plain" });
    for (const [index, revision] of bad.entries()) {
      await rollouts.isUndone(revision);
      const next = good[index];
      if (next) await rollouts.stays(next);
    }
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});
