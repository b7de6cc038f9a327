// node promote.mts review > review.md   or   node promote.mts apply <image>
import { spawnSync } from "node:child_process";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { verifiedImage } from "./verified-image.mts";

const [command, reviewed] = process.argv.slice(2);
if (command !== "review" && !(command === "apply" && reviewed)) {
  console.error("Usage: node promote.mts review | apply <image>");
  process.exit(2);
}

const workDir = import.meta.dirname;
const production = await LocalWorkspace.selectStack({ stackName: "production", workDir });

if (command === "review") {
  // Only what has passed its checks in staging is promoted. The state is true also after a failed update, unlike stack
  // outputs.
  const staging = await LocalWorkspace.selectStack({ stackName: "staging", workDir });
  const { deployment } = await staging.exportStack();
  const agent = deployment.resources?.find(({ urn }: { urn: string }) => urn.endsWith("::support-agent"));
  const image = await verifiedImage("support-agent-staging", agent?.outputs.verifiedRevisionId);
  const { "agentgraph-promotion:image": previous } = await production.getAllConfig();
  await production.setConfig("image", { value: image });
  const preview = spawnSync("pulumi", ["preview", "--json", "--stack", "production"], { cwd: workDir });
  await (previous ? production.setConfig("image", previous) : production.removeConfig("image"));
  // Fails if the preview failed, or if the change would lose data.
  const args = ["agentgraph", "review", "--fail-on", "data-loss"];
  const review = spawnSync("npx", args, { input: preview.stdout, stdio: ["pipe", "inherit", "inherit"] });
  process.exitCode = review.status ?? 1;
  console.error(`After the review, run: node promote.mts apply ${image}`);
} else {
  // What was reviewed is promoted, even if staging has changed since.
  await production.setConfig("image", { value: reviewed });
  const { outputs } = await production.up({ onOutput: (text) => process.stdout.write(text) });
  console.log(`${reviewed} is live in production: ${outputs.url?.value}`);
}
