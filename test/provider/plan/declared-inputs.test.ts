import { toDeclaredInputs } from "../../../provider/plan/declared-inputs";
import { definitionOf } from "./plans";

const [deployment, destination] = [definitionOf("Deployment"), definitionOf("BulkExportDestination")];

test("The declared inputs of a response are the fields of its source that have a value", () => {
  const container = { name: "proxy", image: "proxy:1" };
  const remote = {
    ...{ source: "external_docker", name: "agent", status: "READY", sourceDigest: "d", secrets: {} },
    sourceConfig: {
      customUrl: null,
      repoUrl: "https://git.example/a",
      resourceSpec: { cpu: 1, maxScale: null, labels: {}, annotations: { team: "a" }, volumeMounts: [] },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  };
  const declared = {
    ...{ source: "external_docker", name: "agent" },
    sourceConfig: { resourceSpec: { cpu: 1, annotations: { team: "a" } } },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  };
  expect(toDeclaredInputs(deployment, remote)).toEqual(declared);
  // Items of lists are compared as a whole, so they keep what is empty.
  const sidecars = [{ ...container, command: [], resources: { limits: {} }, workingDir: null, other: 1 }];
  const spec = { sidecars, volumes: [{ name: "scratch", emptyDir: {} }] };
  expect(toDeclaredInputs(deployment, { ...remote, sourceConfig: { resourceSpec: spec } })).toEqual({
    ...declared,
    sourceConfig: {
      resourceSpec: {
        sidecars: [{ ...container, command: [], resources: { limits: {} } }],
        volumes: [{ name: "scratch", emptyDir: {} }],
      },
    },
  });
});

test("Objects without a value are not declared, and computed inputs never", () => {
  const remote = { source: "internal_source", name: "agent", sourcePath: "a", sourceDigest: "d" };
  const declared = { source: "internal_source", name: "agent", sourcePath: "a" };
  expect(toDeclaredInputs(deployment, { ...remote, sourceConfig: { installCommand: null } })).toEqual(declared);
});

test("A response of a source that this version does not know is kept as it is", () => {
  const remote = { source: "quantum", name: "agent", other: null };
  expect(toDeclaredInputs(deployment, remote)).toEqual(remote);
});

test("An empty map of free-form values is declared, since it is compared as a value", () => {
  const remote = { destinationType: "s3", displayName: "d", config: { bucketName: "b", s3AdditionalKwargs: {} } };
  expect(toDeclaredInputs(destination, remote)).toEqual(remote);
});
