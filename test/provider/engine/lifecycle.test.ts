/** The calls of the engine in an unusual order or with unusual definitions, without a server. */
import { runtime } from "@pulumi/pulumi";
import { z } from "zod";
import { defineResource } from "../../../provider/definition/definition";
import { noArgs } from "../../../provider/definition/listing";
import { definitions } from "../../../provider/definitions";
import { lifecycle } from "../../../provider/engine/host/dynamic";
import type { Report } from "../../../provider/engine/host/log";
import { RunState } from "../../../provider/engine/run/run-state";
import { fieldMetadata } from "../../../provider/schema/schema";
import { dockerDeployment } from "../../support/deployments/inputs";
import { offlineStack } from "../../support/stack";
import { TestClock } from "../../support/time/clock";

const UNKNOWN = runtime.unknownValue;
const silent = { show: () => {}, flush: async () => {} };

const unused = () => Promise.reject(new Error("not called"));

/** What every kind says, and these tests do not depend on. */
const minimal = {
  description: "A kind of resource.",
  server: "controlPlane" as const,
  rules: [],
  impact: { replacement: "replace" as const, loses: null, onDelete: null },
  timeouts: { create: "1m", update: "1m", delete: "1m" },
  listing: { args: noArgs, pages: () => unused() as never, detailsOf: () => [] },
  adopt: { ...{ noun: "thing", isNamed: false }, title: () => "", fetch: unused, toInputs: () => ({}) },
  ...{ create: unused, read: unused, update: unused, delete: unused },
};

describe("A kind whose objects have a final state", () => {
  const rows: string[] = [];
  const said: Report = { ...silent, show: (kind, _urn, text) => void (kind === "info" && rows.push(text)) };
  const definition = defineResource<{ title: string }, { status: string }>("Thing", {
    ...minimal,
    schema: {
      inputs: z
        .strictObject({ title: z.string().register(fieldMetadata, { replaces: true }) })
        .register(fieldMetadata, { foreignFields: { name: "belongs to a Deployment." } }),
      outputs: z.object({ status: z.string() }),
    },
    endReason: ({ status }) => (status === "FAILED" ? "it failed" : undefined),
    delete: async () => ({ info: "it stays" }),
  });
  const stored = { title: "t", status: "FAILED", __urn: "urn" };
  const host = () => {
    rows.length = 0;
    const created = lifecycle(definition, { clock: new TestClock(), report: said, run: new RunState() });
    created.configure({ config: { get: (key: string) => settings[key] } } as never);
    return created;
  };
  const settings: Record<string, string> = {
    "agentgraph:controlPlaneUrl": "http://127.0.0.1:1",
    "agentgraph:apiKey": "k",
  };

  it("replaces an ended object without a difference, and says why", async () => {
    const planned = host();
    await planned.check({}, { title: "t", __urn: "urn" });
    const difference = await planned.diff("id", stored, { title: "t", __urn: "urn" });
    expect(difference).toMatchObject({ changes: true, replaces: ["id"], deleteBeforeReplace: true });
    expect(rows).toEqual(["REPLACED; it failed"]);
    expect(await planned.diff("id", { ...stored, status: "DONE" }, { title: "t", __urn: "urn" })).toEqual({
      changes: false,
    });
  });

  it("shows the impact on dependents of a replaced resource, which the engine diffs before the check", async () => {
    await host().diff("id", { ...stored, status: "DONE" }, { title: UNKNOWN, __urn: "urn" });
    expect(rows).toEqual(["possibly REPLACED: title (if its value changes)"]);
  });

  it("reports what a delete keeps by design as an info, not a warning", async () => {
    await host().delete("id", stored);
    expect(rows).toEqual(["it stays"]);
  });
});

it("A call before configure fails", async () => {
  const definition = definitions.find(({ kind }) => kind === "Deployment");
  const host = definition && lifecycle(definition, { clock: new TestClock(), report: silent, run: new RunState() });
  await expect(host?.read("id", dockerDeployment())).rejects.toThrow("before it was configured");
});

it("A call during configure waits for it", async () => {
  const stack = offlineStack();
  const host = stack.host();
  host.configure({ config: { get: () => undefined } } as never);
  const reading = host.read("id", { ...dockerDeployment(), __urn: stack.urn });
  await expect(reading).rejects.toThrow("Settings are missing");
});

describe("Warnings about settings", () => {
  /** What a preview of one resource of each type warns of, in one process. */
  async function warnings(settings: Record<string, string>): Promise<string[]> {
    const texts: string[] = [];
    const report: Report = { ...silent, show: (kind, _urn, text) => void (kind === "warn" && texts.push(text)) };
    const environment = { clock: new TestClock(), report, run: new RunState() };
    for (const definition of definitions) {
      const host = lifecycle(definition as never, environment);
      host.configure({ config: { get: (key: string) => settings[key.replace("agentgraph:", "")] } } as never);
      // A Cron without an input, and a destination without credentials, would warn of that.
      for (const name of ["a", "b"])
        await host.check({}, { input: {}, credentials: {}, __urn: `urn:pulumi:dev::shop::x::${name}` });
    }
    return texts;
  }
  const urls = { controlPlaneUrl: "https://control.example", tracingApiUrl: "https://tracing.example" };

  it("are shown once, however many resources and types there are", async () => {
    expect(await warnings({ ...urls, apiKey: "k", tenantId: "acme" })).toEqual([
      expect.stringContaining('tenantId: "acme" is not a UUID'),
    ]);
  });

  it("name each missing setting once, although several servers require it", async () => {
    expect(await warnings({})).toEqual([expect.stringMatching(/^Settings are missing: url, apiKey\n/)]);
    expect(await warnings({ controlPlaneUrl: "https://control.example" })).toEqual([
      expect.stringMatching(/^Settings are missing: apiKey\n/),
      expect.stringMatching(/^More settings are missing: tracingApiUrl\n(?!.*apiKey)/s),
    ]);
  });
});
