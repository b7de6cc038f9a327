/** An engine that did not start the plugin, such as that of a run in a debugger, attaches to it. */
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { AgentgraphProvider } from "../../../plugin/provider";
import { RunState } from "../../../provider/engine/run/run-state";
import { dockerDeployment } from "../../support/deployments/inputs";
import { fromStruct, silentReport } from "../../support/hosts/plugin-client";
import { startPlatform } from "../../support/platform";
import { startEngine } from "../../support/servers/engine";
import { TestClock } from "../../support/time/clock";
import { PluginLife, startLife } from "../support/life";

test("The plugin reports the progress of a run to the engine that attached to it", async () => {
  const engine = await startEngine();
  const { platform, life } = await startLife();
  await life.plugin.call("attach", new PluginAttach().setAddress(engine.address));
  await life.plugin.configure({ controlPlaneUrl: platform.url, apiKey: "attached" });
  await life.create(dockerDeployment());
  expect(engine.lines.join("\n")).toContain("DEPLOYED");
  expect(life.texts).toEqual([]);
});

test("A run that attaches after a canceled one waits for its rollouts again", async () => {
  const { platform, life } = await startLife();
  await life.plugin.call("cancel", new Empty());
  await expect(life.create(dockerDeployment())).rejects.toThrow(/[Cc]anceled/);
  await life.plugin.call("attach", new PluginAttach().setAddress((await startEngine()).address));
  await life.plugin.configure({ controlPlaneUrl: platform.url, apiKey: "attached" });
  await life.update(dockerDeployment());
  expect(fromStruct(life.state).__unready).toBeUndefined();
});

test("Nothing of one run reaches the next run of the same process", async () => {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["ERROR no such tag"] }, times: 2 });
  const first = await PluginLife.start(platform);
  const startRun = async () => {
    await first.plugin.call("attach", new PluginAttach().setAddress((await startEngine()).address));
    await first.plugin.configure({ controlPlaneUrl: platform.url, apiKey: "attached" });
  };
  const second = first.sibling("other");
  await startRun();
  await expect(first.create(dockerDeployment({ name: "one" }))).rejects.toThrow("no such tag");
  await startRun();
  const begin = second.texts.length;
  // The log that an error of the first run shows does not count.
  await expect(second.create(dockerDeployment({ name: "two" }))).rejects.toThrow("no such tag");
  expect(second.texts.slice(begin).join("\n")).toContain("| ");
  expect(second.texts.slice(begin).join("\n")).not.toContain("log ends like that");
});

test("Each run closes what the run before held open", async () => {
  class Connections {
    isClosed = false;
    async close(): Promise<void> {
      this.isClosed = true;
    }
  }
  const runs: RunState[] = [];
  const startRun = () => {
    const run = new RunState();
    run.scope.get(Connections);
    runs.push(run);
    return run;
  };
  const provider = new AgentgraphProvider({ report: silentReport, startRun }, new TestClock());
  provider.configure(new messages.ConfigureRequest().setName("default"));
  provider.attach({ report: silentReport, startRun });
  expect(runs.map(({ scope }) => scope.get(Connections).isClosed)).toEqual([true, true, false]);
});
