/**
 * The Jest environment of tests in which a published agent server takes the place of the emulator's. Each worker starts
 * one, and each test begins without objects on it.
 */
import type { EnvironmentContext, JestEnvironmentConfig } from "@jest/environment";
import type { Circus } from "@jest/types";
import NodeEnvironment from "jest-environment-node";
import { DIFFERENCES } from "./differences";
import { type PublishedServer, type ServerKind, startPublished } from "./published";

/** The servers of this worker, which end with it. */
const servers = new Map<ServerKind, Promise<PublishedServer>>();

export default class AgentServerEnvironment extends NodeEnvironment {
  private readonly kind: ServerKind;
  private server: PublishedServer | undefined;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.kind = config.projectConfig.globals.AGENT_SERVER as ServerKind;
  }

  override async setup(): Promise<void> {
    await super.setup();
    const started = servers.get(this.kind) ?? startPublished(this.kind);
    servers.set(this.kind, started);
    this.server = await started;
    this.global.AGENT_SERVER_URL = this.server.url;
  }

  async handleTestEvent(event: Circus.Event, state: Circus.State): Promise<void> {
    if (event.name === "run_start") for (const test of testsIn(state.rootDescribeBlock)) this.mark(test);
    if (event.name === "test_start" && this.server && event.test.mode !== "skip") await clear(this.server, this.kind);
  }

  /** Expects a test to fail if it is in the table, which must not name a test that passes. */
  private mark(test: Circus.TestEntry): void {
    const title = titleOf(test);
    const applies = DIFFERENCES.find(
      ({ server, titles }) => (server ?? this.kind) === this.kind && titles.some((text) => title.includes(text)),
    );
    if (applies?.isSkipped) test.mode = "skip";
    else if (applies) test.failing = true;
  }
}

const testsIn = (block: Circus.DescribeBlock): Circus.TestEntry[] =>
  block.children.flatMap((child) => (child.type === "test" ? [child] : testsIn(child)));

function titleOf({ name, parent }: Circus.TestEntry): string {
  const names = [name];
  for (let block: Circus.DescribeBlock | undefined = parent; block?.parent; block = block.parent)
    names.unshift(block.name);
  return names.join(" ");
}

/** Deletes all objects but the default assistants. */
async function clear({ call }: PublishedServer, kind: ServerKind): Promise<void> {
  const remove = async (path: string, key: string) => {
    const { body } = await call<Record<string, unknown>[]>("POST", `${path}/search`, { limit: 1000 });
    const own = body.filter(({ metadata }) => (metadata as { created_by?: string }).created_by !== "system");
    for (const object of own) await call("DELETE", `${path}/${object[key]}`);
  };
  if (kind === "python") await remove("/runs/crons", "cron_id");
  await remove("/threads", "thread_id");
  await remove("/assistants", "assistant_id");
}
