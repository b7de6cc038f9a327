import type { z } from "zod";
import { definitions } from "../../../provider/definitions";
import { outputsOfCreate, outputsOfUpdate, stableOutputs } from "../../../provider/plan/planned-outputs";
import { UNKNOWN } from "../../../provider/plan/property-values";
import { variantsOf } from "../../../provider/schema/schema";
import { dockerDeployment, withImage } from "../../support/deployments/inputs";
import { definitionOf } from "../../support/plans";

const deployment = definitionOf("Deployment");
const declared = dockerDeployment();
const state = {
  ...declared,
  tenantId: "t",
  url: "https://agent.example",
  createdAt: "2026-01-01T00:00:00Z",
  latestRevisionId: "r",
};

test("A preview of a create knows the inputs, and no output of the server", () => {
  const outputs = outputsOfCreate(deployment, declared);
  expect(outputs).toMatchObject(declared);
  const keys = Object.keys((deployment.schema.outputs as unknown as z.ZodObject).shape);
  expect(keys.map((key) => outputs[key])).toEqual(keys.map(() => UNKNOWN));
});

test("A preview of an update knows the outputs that no update changes, if state has them", () => {
  const outputs = outputsOfUpdate(deployment, state, { ...declared, ...withImage("2.0.0") });
  expect(outputs).toMatchObject({ tenantId: "t", url: "https://agent.example", createdAt: state.createdAt });
  expect(outputs).toMatchObject({ latestRevisionId: UNKNOWN, tracingProjectId: UNKNOWN });
});

test.each([null, "", UNKNOWN])("An output that is %j in state is unknown after an update", (url) => {
  expect(outputsOfUpdate(deployment, { ...state, url }, declared)).toMatchObject({ url: UNKNOWN, tenantId: "t" });
});

test("An output is unknown when an input changes that decides it, and where a replacement is possible", () => {
  const inputs = { ...declared, sourceConfig: { customUrl: "https://other.example" } };
  expect(outputsOfUpdate(deployment, state, inputs)).toMatchObject({ url: UNKNOWN, tenantId: "t" });
  const renamed = { ...declared, name: UNKNOWN };
  expect(outputsOfUpdate(deployment, state, renamed)).toMatchObject({ url: UNKNOWN, createdAt: UNKNOWN });
});

test.each(definitions)("A stable output of $kind is not an input that an update may change", (definition) => {
  const idProperty = definition.schema.idProperty ?? "";
  const shapes = variantsOf(definition.schema.inputs).map(({ shape }) => shape);
  const inputs = shapes.flatMap((shape) => Object.keys(shape)).filter((key) => key !== idProperty);
  const stable = stableOutputs(definition, []);
  expect(stable).toContain("createdAt");
  expect(stable.filter((key) => inputs.includes(key))).toEqual([]);
});

test.each(["Assistant", "Cron", "Thread"])(
  "A preview of %s knows its ID in an update, or where it is declared",
  (kind) => {
    const definition = definitionOf(kind);
    const key = `${kind.toLowerCase()}Id`;
    expect(outputsOfCreate(definition, { graphId: "echo" })).toMatchObject({ [key]: UNKNOWN });
    expect(outputsOfCreate(definition, { [key]: "declared" })).toMatchObject({ [key]: "declared" });
    expect(outputsOfCreate(definition, { [key]: null })).toMatchObject({ [key]: UNKNOWN });
    expect(outputsOfUpdate(definition, { [key]: "derived" }, { sensitive: true })).toMatchObject({ [key]: "derived" });
    expect(outputsOfUpdate(definition, { sensitive: true }, { sensitive: false })).toMatchObject({ [key]: UNKNOWN });
  },
);
