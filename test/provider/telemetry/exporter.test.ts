/** What each export of a process has of its spans. */
import * as grpc from "@grpc/grpc-js";
import * as protobuf from "google-protobuf";
import { openTrace } from "../../../provider/telemetry/open-trace";
import { startCollector } from "../../support/servers/collector";
import { TestClock } from "../../support/time/clock";

const SECRET = "canary-of-a-secret";

test("Each export has what ended since the last one, redacted as its operation, which steps describe", async () => {
  const { endpoint, spans } = await startCollector();
  const trace = openTrace({
    environment: { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    clock: new TestClock(),
    loadModules: () => ({ grpc, protobuf }),
  });
  const clean = (text: string) => text.replace(SECRET, "[secret]");
  for (const name of ["first", "second"]) {
    await trace.span({ name, clean }, () =>
      trace.span({ name: "step", attributes: { value: SECRET } }, async () => trace.describe({ of: name })),
    );
    await trace.flush();
  }
  trace.start({ name: "wait", agoMs: 300 })?.end(100);
  await trace.flush();
  const step = { name: "step", attributes: { value: "[secret]" } };
  const ofOperation = (of: string) => ({ name: of, attributes: { of } });
  expect(spans).toMatchObject([step, ofOperation("first"), step, ofOperation("second"), { name: "wait" }]);
  expect(spans.map(({ startedAt, endedAt }) => Math.round(endedAt - startedAt))).toEqual([0, 0, 0, 0, 200]);
});
