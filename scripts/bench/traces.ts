/** What traces cost: `pulumi up` of 100 deployments with a collector and without one. */
import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ensureBundle } from "../plugin/bundle.ts";
import { childSeconds } from "./compare.ts";
import { type Figure, median } from "./figures.ts";
import { writeNative } from "./programs.ts";
import type { Cli, Sandbox } from "./sandbox.ts";

const DEPLOYMENTS = 100;
/** Of which the fastest counts: all other load of the machine only adds. */
const ROUNDS = 5;
/**
 * The variable by which the engine of `--otel-traces` names its collector. Set without the option, the engine itself
 * traces nothing.
 */
const ENDPOINT = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

export async function traces(sandbox: Sandbox, now: (status: string) => void): Promise<Figure[]> {
  const native = await writeNative(join(sandbox.folder, "traced-native"), await ensureBundle());
  return [
    await costOf("dynamic resources", sandbox.program, sandbox, now),
    await costOf("native provider", native, sandbox, now),
  ];
}

async function costOf(host: string, program: string, sandbox: Sandbox, now: (status: string) => void): Promise<Figure> {
  const collector = await startCollector();
  const prepare = async (name: string, variables: NodeJS.ProcessEnv) => {
    const emulator = await sandbox.startEmulator("instant");
    Object.assign(sandbox.stackEnv, variables);
    const cli = await sandbox.stack(`${name}-${host.replace(" ", "-")}`, emulator, DEPLOYMENTS, program);
    delete sandbox.stackEnv[ENDPOINT];
    return { cli, emulator, seconds: [] as number[] };
  };
  const off = await prepare("off", {});
  const on = await prepare("on", { [ENDPOINT]: collector.endpoint });
  for (let round = 1; round <= ROUNDS; round++) {
    now(`${host}, round ${round} of ${ROUNDS}`);
    // Each is first as often as the other.
    for (const { cli, seconds } of round % 2 ? [off, on] : [on, off]) seconds.push(await upSeconds(cli));
  }
  for (const { emulator } of [off, on]) sandbox.stopEmulator(emulator);
  const bytes = await collector.stop();
  if (bytes < DEPLOYMENTS * 1000) throw new Error(`The collector received ${bytes} bytes: the runs were not traced.`);
  const [without, traced] = [off, on].map(({ seconds }) => Math.min(...seconds)) as [number, number];
  const spread = (seconds: readonly number[]) => `${median(seconds).toFixed(2)} s`;
  const how =
    `processor seconds of an up of ${DEPLOYMENTS}, fastest of ${ROUNDS} in turn: ${traced.toFixed(2)} s with a ` +
    `collector and ${without.toFixed(2)} s without; medians ${spread(on.seconds)} and ${spread(off.seconds)}`;
  return { what: `Traces, ${host}`, unit: "%", most: 5, measured: (traced / without - 1) * 100, how };
}

async function upSeconds(cli: Cli): Promise<number> {
  const begin = childSeconds();
  await cli("up", "--yes", "--skip-preview");
  const seconds = childSeconds() - begin;
  await cli("destroy", "--yes", "--skip-preview");
  return seconds;
}

/** Starts a collector that accepts everything. `stop` returns how many bytes it received. */
async function startCollector() {
  let bytes = 0;
  const server = createServer();
  server.on("stream", (stream) => {
    stream.on("data", (data: Buffer) => {
      bytes += data.length;
    });
    stream.on("end", () => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      // An empty message: no compression, and four bytes of length.
      stream.end(Buffer.alloc(5));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    return bytes;
  };
  return { endpoint: `127.0.0.1:${port}`, stop };
}
