import { createDeployment, docker, start, startDeployment } from "../../support/emulator";
import { specErrors } from "./resource-spec";

/** A spec with every object of API `2A.ResourceSpec`, and all of its fields. */
const fullSpec = {
  image_pull_secrets: [{ name: "registry" }],
  volumes: [
    { name: "config", configMap: { name: "settings" } },
    { name: "hidden", secret: { secretName: "s" } },
    { name: "scratch", emptyDir: { sizeLimit: "1Gi" } },
    { name: "disk", persistentVolumeClaim: { claimName: "c" } },
    { name: "share", nfs: { server: "files.example", path: "/" } },
    { name: "many", projected: { sources: [] } },
    { name: "facts", downwardAPI: { items: [] } },
    { name: "driver", csi: { driver: "csi.example" } },
  ],
  volume_mounts: [
    ...[{ name: "scratch", mountPath: "/tmp", subPath: "a", mountPropagation: "None", readOnly: true }],
    ...[{ name: "config", mountPath: "/etc/agent", subPathExpr: "$(POD)" }],
  ],
  init_containers: [{ name: "first", image: "x:1", imagePullPolicy: "Never", restartPolicy: "Always" }],
  sidecars: [
    {
      name: "side",
      image: "x:1",
      imagePullPolicy: "IfNotPresent",
      command: ["sh"],
      args: ["-c", "true"],
      workingDir: "/srv",
      restartPolicy: "OnFailure",
      securityContext: { runAsUser: 1000 },
      env: [
        { name: "PLAIN", value: "x" },
        { name: "_from", value: "", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "Empty" },
      ],
      envFrom: [{ secretRef: { name: "s" } }],
      resources: { limits: { cpu: "500m" }, requests: { memory: "1Gi" } },
      volumeMounts: [{ name: "disk", mountPath: "/data" }],
    },
  ],
};

const withSpec = (resource_spec: object) => docker("agent", { source_config: { resource_spec } });
const sidecar = { name: "side", image: "x:1" };
const volumes = [{ name: "a" }];
const mount = { name: "a", mountPath: "/" };
const kinds = ["configMap", "secret", "emptyDir", "persistentVolumeClaim", "nfs", "projected", "downwardAPI", "csi"];
const withMount = (change: object) => ({ volumes, volume_mounts: [{ ...mount, ...change }] });
const withSidecar = (change: object) => ({ sidecars: [{ ...sidecar, ...change }] });
const withVariable = (variable: object) => withSidecar({ env: [variable] });

// @covers 2A.Volume.configMap, 2A.Volume.secret, 2A.Volume.emptyDir, 2A.Volume.persistentVolumeClaim, 2A.Volume.nfs
// @covers 2A.Volume.projected, 2A.Volume.downwardAPI, 2A.Volume.csi, 2A.VolumeMount.subPath
// @covers 2A.VolumeMount.mountPropagation, 2A.VolumeMount.readOnly, 2A.VolumeMount.subPathExpr
// @covers 2A.Container.imagePullPolicy, 2A.Container.command, 2A.Container.args, 2A.Container.workingDir
// @covers 2A.Container.envFrom, 2A.Container.securityContext, 2A.Container.env, 2A.Container.resources
// @covers 2A.Container.volumeMounts, 2A.Container.restartPolicy, 2A.EnvVar.value, 2A.EnvVar.valueFrom
// @covers 2A.ResourceRequirements.limits, 2A.ResourceRequirements.requests
test("every field of volumes, mounts and containers is stored, and a variable without a value is empty", async () => {
  const { client, id } = await startDeployment({ strict: true }, withSpec(fullSpec));
  const stored = JSON.parse(JSON.stringify(fullSpec).replace('{"name":"Empty"}', '{"name":"Empty","value":""}'));
  expect((await client.get(`/v2/deployments/${id}`)).body.source_config.resource_spec).toEqual(stored);
});

// @covers 2A.LocalObjectReference.name, 2A.Volume.name, 2A.VolumeMount.name, 2A.VolumeMount.mountPath
// @covers 2A.Container.name, 2A.Container.image, 2A.EnvVar.name, 2A.Volume.name:unique
test.each<[loc: string, type: string, spec: object]>([
  ["image_pull_secrets.0.name", "missing", { image_pull_secrets: [{}] }],
  ["volumes.0.name", "missing", { volumes: [{ emptyDir: {} }] }],
  ["volumes.1.name", "value_error", { volumes: [...volumes, ...volumes] }],
  ["volume_mounts.0.name", "missing", { volume_mounts: [{ mountPath: "/a" }] }],
  ["volume_mounts.0.name", "value_error", { volume_mounts: [mount] }],
  ["volume_mounts.0.mountPath", "missing", withMount({ mountPath: undefined })],
  ["volume_mounts.0.readOnly", "bool_parsing", withMount({ readOnly: "?" })],
  ["volume_mounts.0.mountPropagation", "string_type", withMount({ mountPropagation: true })],
  ["volume_mounts.0.subPath", "string_type", withMount({ subPath: 1 })],
  ["volume_mounts.0.subPathExpr", "string_type", withMount({ subPathExpr: 1 })],
  ["init_containers.0.image", "missing", { init_containers: [{ name: "a" }] }],
  ["sidecars.0.name", "missing", withSidecar({ name: undefined })],
  ["sidecars.0.imagePullPolicy", "enum", withSidecar({ imagePullPolicy: "always" })],
  ["sidecars.0.restartPolicy", "enum", withSidecar({ restartPolicy: "Never" })],
  ["sidecars.0.command", "list_type", withSidecar({ command: "sh" })],
  ["sidecars.0.args.0", "string_type", withSidecar({ args: [1] })],
  ["sidecars.0.workingDir", "string_type", withSidecar({ workingDir: 1 })],
  ["sidecars.0.envFrom.0", "dict_type", withSidecar({ envFrom: ["s"] })],
  ["sidecars.0.securityContext", "dict_type", withSidecar({ securityContext: "root" })],
  ["sidecars.0.resources.limits.cpu", "string_type", withSidecar({ resources: { limits: { cpu: 1 } } })],
  ["sidecars.0.resources.requests.cpu", "string_type", withSidecar({ resources: { requests: { cpu: 1 } } })],
  ["sidecars.0.env.0.name", "missing", withVariable({ value: "x" })],
  ["sidecars.0.env.0.valueFrom", "dict_type", withVariable({ name: "A", valueFrom: "b" })],
  ["sidecars.0.env.0.valueFrom", "value_error", withVariable({ name: "A", value: "1", valueFrom: {} })],
  ...kinds.map((kind): [string, string, object] => [
    `volumes.0.${kind}`,
    "dict_type",
    { volumes: [{ name: "a", [kind]: "x" }] },
  ]),
])("the field %s of a spec is rejected with %s for %j", async (loc, type, spec) => {
  expect(await specErrors(await start({ strict: true }), spec)).toEqual([[loc, type]]);
});

test.each([
  [{ redis_memory_mb: 512, redis_memory_limit_mb: 256 }, "redis_memory_limit_mb must not be less than redis_memory_mb"],
  [{ volumes: [...volumes, { name: "b" }, ...volumes] }, "volume name 'a' is not unique"],
  [{ volumes, volume_mounts: [{ name: "b", mountPath: "/" }] }, "'b' matches no volume"],
  [withVariable({ name: "A", value: "1", valueFrom: {} }), "valueFrom cannot be used when value is not empty"],
])("the spec %j is rejected with the reason: %s", async (resource_spec, reason) => {
  const { body } = await (await start({ strict: true })).post("/v2/deployments", withSpec(resource_spec));
  expect(body.detail.map(({ msg }) => msg)).toEqual([`Value error, ${reason}`]);
});

// @covers 2A.Volume.name, 2A.Container.name
test("the names of volumes and containers are DNS labels", async () => {
  const client = await start({ strict: true });
  for (const name of ["a", "a-1", "1a", "a".repeat(63)]) {
    const { id } = await createDeployment(client, withSpec({ volumes: [{ name }], ...withSidecar({ name }) }));
    await client.admin("DELETE", `/deployments/${id}`);
  }
  for (const name of ["", "A", "a_b", "-a", "a-", "a.b", "a".repeat(64)]) {
    const errors = await specErrors(client, { volumes: [{ name }], init_containers: [{ ...sidecar, name }] });
    expect(errors.map(([loc]) => loc)).toEqual(["volumes.0.name", "init_containers.0.name"]);
  }
});

// @covers 2A.EnvVar.name
test("the names of variables are C identifiers", async () => {
  const client = await start({ strict: true });
  for (const name of ["", "1A", "A-B", "A.B", "A B"])
    expect(await specErrors(client, withVariable({ name, value: "x" }))).toEqual([
      ["sidecars.0.env.0.name", "string_pattern_mismatch"],
    ]);
});

// @covers 2A.VolumeMount.name, 2A.Container.volumeMounts
test("a container can mount only volumes of its own deployment", async () => {
  const container = { ...sidecar, volumeMounts: [{ name: "b", mountPath: "/b" }] };
  const spec = { volumes, init_containers: [container], sidecars: [container] };
  expect(await specErrors(await start({ strict: true }), spec)).toEqual([
    ["init_containers.0.volumeMounts.0.name", "value_error"],
    ["sidecars.0.volumeMounts.0.name", "value_error"],
  ]);
});
