/** `npm run up`: sets up the checkout, starts the emulator, and deploys the root Pulumi.yaml with the real engine. */
import { join, relative } from "node:path";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { agentOptions, readAgent, storedOptions, storeOptions } from "./agent.mjs";
import { BUCKET_KEY, bucketPort, DATA, startEmulator, urlOf } from "./emulator.mjs";
import { choosePort, storePort } from "./port.mjs";
import { exclusively, prepareStack, runOnStack, stackEnvironment } from "./stack.mjs";

export const usage = {
  command: "npm run up",
  summary: "Sets up the checkout, starts the emulator in the background and deploys the quickstart to it.",
  options: {
    port: {
      type: "string",
      form: "<number>",
      meaning:
        "port of the emulator; its bucket uses the next port (default: AGENTGRAPH_EMULATOR_PORT, otherwise 7420)",
    },
    ...agentOptions,
  },
};

export async function main({ port: requestedPort, ...agentValues }) {
  const agent = await readAgent(agentValues);
  const port = await choosePort(requestedPort, process.env);
  return exclusively(async () => {
    const { pulumi, env } = await ready({ meanwhile: ({ node, env }) => bringUpEmulator(node, env, port, agent) });
    return deploy(pulumi, env, port, agent);
  });
}

async function bringUpEmulator(node, env, port, agent) {
  await startEmulator(node, env, port, agent?.options);
  await storePort(port);
  console.log(`Open ${urlOf(port)} in a browser to see what the emulator does.`);
}

async function deploy(pulumi, env, port, agent) {
  // The program starts the agent again with each run, because its folder or its command may have changed.
  const agentEnv = agent && { QUICKSTART_GRAPH: agent.graph, QUICKSTART_RUN: new Date().toISOString() };
  const stackEnv = { ...(await stackEnvironment(env, urlOf(port))), ...agentEnv };
  await prepareStack(pulumi, stackEnv);
  console.log("\n$ pulumi up");
  // A preview would show the same table twice.
  const args = ["up", "--yes", "--skip-preview"];
  // The built-in graphs have no object of an agent that ran before.
  if (!agent && (await storedOptions()).length > 0) args.push("--refresh");
  const code = await runOnStack(pulumi, stackEnv, args);
  if (code !== 0) {
    const again = agent?.command ?? "npm run up";
    console.error(
      `\nThe update failed. See the errors above, then run \`${again}\` again to continue, or \`npm run ` +
        "down` to clean up.",
    );
    return 1;
  }
  if (!agent) await storeOptions([]);
  printSummary(port, agent);
  return 0;
}

function printSummary(port, agent) {
  const here = (path) => relative(ROOT, path) || ".";
  section("Emulator", [
    ["page and API", urlOf(port)],
    ["admin", `${urlOf(port)}/_emulator`],
    ["bucket", `${urlOf(bucketPort(port))} (access key: ${here(BUCKET_KEY)})`],
    ["log", here(join(DATA, "emulator.log"))],
    ["data", here(DATA)],
  ]);
  section("Next steps", [
    ...(agent
      ? [
          ["change", `change your agent and run \`${agent.command}\` again: starts it as a new revision`],
          [
            "secrets",
            "edit `secrets` in examples/quickstart/index.ts: your agent receives them as environment variables",
          ],
          ...(agent.graph === "" ? [["assistant", "add `--graph <id>`: creates an assistant and a thread"]] : []),
          ["compare", "run `npm run up`: the built-in graphs respond again"],
        ]
      : [
          [
            "change",
            "edit the image in examples/quickstart/index.ts and run `npm run up` again: creates one new revision",
          ],
          ["your agent", 'run `npm run up -- --agent <folder> --start "<command>"`: see docs/local-agents.md'],
          ["repeat", "run `npm run up` again: nothing changes"],
        ]),
    ["clean up", "run `npm run down`"],
  ]);
}

function section(title, rows) {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  console.log(`\n${title}`);
  for (const [name, text] of rows) console.log(`  ${name.padEnd(width)}  ${text}`);
}
