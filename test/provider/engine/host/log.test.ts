/** The address of the engine, and the order in which lines reach it. */
import * as grpc from "@grpc/grpc-js";
import { engineAddress, engineReport } from "../../../../provider/engine/host/log";
import { startEngine } from "../../../support/servers/engine";

test.each([
  ["alone", ["127.0.0.1:9"], "127.0.0.1:9"],
  ["after --tracing and --otel-traces", ["--tracing", "tcp://127.0.0.1:8", "127.0.0.1:9"], "127.0.0.1:9"],
  ["after the options of --logflow", ["--logtostderr", "-v=9", "127.0.0.1:9"], "127.0.0.1:9"],
  ["not at all", ["--tracing", "tcp://127.0.0.1:8"], undefined],
])("The address of the engine is read where the engine passes it: %s", (_where, args, address) => {
  expect(engineAddress(["node", "host", ...args])).toBe(address);
});

test("a line waits for the one before it on its row, and not for those of other rows", async () => {
  const [confirmed, hasOther] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const engine = await startEngine(async (line) => {
    if (line === "first") await confirmed.promise;
    if (line === "other") hasOther.resolve();
  });
  // Longer than any machine needs: otherwise a line is dropped where the engine is late.
  const report = engineReport(engine.address, () => grpc, 10 * 60_000);
  report.show("progress", "urn:a", "first");
  report.show("progress", "urn:a", "second");
  report.show("info", "urn:b", "other");
  await hasOther.promise;
  expect(engine.lines).toEqual(["first", "other"]);
  confirmed.resolve();
  await report.flush();
  expect(engine.lines).toEqual(["first", "other", "second"]);
});

test.each([
  ["http_proxy", "http://127.0.0.1:1"],
  ["HTTPS_PROXY", "127.0.0.1:1"],
  ["ALL_PROXY", "socks5://127.0.0.1:1"],
  ["http_proxy", "proxy.invalid:3128"],
])("a line reaches the engine, which runs on this machine, whatever %s says: %s", async (name, value) => {
  const engine = await startEngine();
  const before = process.env[name];
  process.env[name] = value;
  try {
    const report = engineReport(engine.address, () => grpc);
    report.show("warn", "urn:a", "a warning");
    await report.flush();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
  expect(engine.lines).toEqual(["a warning"]);
});

test("a warning without a resource is shown, and no other line is", async () => {
  const engine = await startEngine();
  const report = engineReport(engine.address, () => grpc);
  for (const severity of ["progress", "info", "debug", "warn"] as const) report.show(severity, "", severity);
  await report.flush();
  expect(engine.lines).toEqual(["warn"]);
});

test("lines that wait for one to which the engine does not respond are dropped, and later ones are sent", async () => {
  const engine = await startEngine((line) => (line === "first" ? Promise.reject() : Promise.resolve()));
  const report = engineReport(engine.address, () => grpc);
  report.show("warn", "urn:a", "first");
  report.show("warn", "urn:a", "second");
  await report.flush();
  report.show("warn", "urn:a", "third");
  await report.flush();
  expect(engine.lines).toEqual(["first", "third"]);
});
