/** The suite. scripts/acceptance/run.ts sets up the checkout and starts it in a separate process. */
import { randomBytes } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { confirm } from "./confirm.ts";
import { type Options, readOptions, UsageError, usage } from "./options.ts";
import { redactor } from "./redact.ts";
import { announce } from "./report/announce.ts";
import { createReport } from "./report/report.ts";
import { renderReport, renderResult } from "./report/text.ts";
import { messageOf, plan, tellAll } from "./run.ts";
import type { Run } from "./stories/story.ts";
import { sweep } from "./sweep/sweep.ts";
import { startEmulator } from "./target/emulator.ts";
import { type Server, serverOf } from "./target/server.ts";

async function main(): Promise<number> {
  const options = readOptions(parseArgs({ options: usage.options }).values);
  const given = await serverOf(process.env, options);
  if (options.sweep) {
    if (!given) throw new UsageError("--sweep requires a server: set AGENTGRAPH_URL.");
    const redact = redactor(given.secrets);
    return sweep(given, options, (text) => console.log(redact(text)));
  }
  const target = given ? { server: given, options } : await startEmulator(options);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentgraph-acceptance-")));
  try {
    return await perform(createRun(target, folder));
  } finally {
    await target.server.emulator?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function createRun({ server, options }: { server: Server; options: Options }, folder: string): Run {
  const stop = new AbortController();
  let pressed = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      pressed += 1;
      if (pressed > 1) {
        console.log(
          "\nStopped without cleaning up. `npm run acceptance -- --sweep` removes what is left after an hour.",
        );
        process.exit(130);
      }
      console.log("\nStopping: what the run created is deleted. Press Ctrl-C again to end without that.");
      stop.abort();
    });
  // The time is part of the name, so that a sweep knows the age of what it finds.
  const time = new Date().toISOString().replace(/[-:T]/g, "").slice(2, 14);
  const secret = `secret-${randomBytes(12).toString("hex")}`;
  const bucket = server.bucket && {
    ACCEPTANCE_BUCKET_KEY_ID: server.bucket.accessKeyId,
    ACCEPTANCE_BUCKET_SECRET: server.bucket.secretAccessKey,
  };
  return {
    ...{ server: { ...server, secrets: [...server.secrets, secret] }, options, folder },
    id: `${options.prefix}-${time}-${randomBytes(2).toString("hex")}`,
    env: { ...process.env, ...server.settings, ...bucket, ACCEPTANCE_SECRET: secret },
    stop: stop.signal,
    // The rollouts of an emulator are instant.
    progress: server.kind === "emulator" ? () => undefined : (text) => console.log(redactor(server.secrets)(text)),
  };
}

async function perform(run: Run): Promise<number> {
  const redact = redactor(run.server.secrets);
  const print = (text: string) => console.log(redact(text));
  const planned = plan(run);
  print(announce(run, planned));
  if (run.server.kind === "server" && !run.options.yes && !(await confirm("Begin?"))) return 2;
  const begin = Date.now();
  const results = await tellAll(run, planned, (result) => print(renderResult(result)));
  const report = createReport(run, results, Date.now() - begin);
  print(renderReport(report));
  if (run.options.json) await writeFile(run.options.json, redact(`${JSON.stringify(report, null, 2)}\n`));
  return report.passed ? 0 : run.stop.aborted ? 130 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const isUsage = error instanceof UsageError || String(error?.code).startsWith("ERR_PARSE_ARGS");
    console.error(isUsage ? `${messageOf(error)} See \`npm run acceptance -- --help\`.` : error);
    process.exitCode = isUsage ? 2 : 1;
  },
);
