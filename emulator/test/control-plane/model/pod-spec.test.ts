import { type Client, createDeployment, docker, start } from "../../support/emulator";

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

async function validationErrors(client: Client, spec: object): Promise<unknown[]> {
  const { status, body } = await client.post("/v2/deployments", withSpec(spec));
  expect(status).toBe(422);
  return body.detail.map(({ type, loc }) => [type, loc.slice(3).join(".")]);
}

// @covers 2A.Volume.configMap, 2A.Volume.secret, 2A.Volume.emptyDir, 2A.Volume.persistentVolumeClaim, 2A.Volume.nfs
// @covers 2A.Volume.projected, 2A.Volume.downwardAPI, 2A.Volume.csi, 2A.VolumeMount.subPath
// @covers 2A.VolumeMount.mountPropagation, 2A.VolumeMount.readOnly, 2A.VolumeMount.subPathExpr
// @covers 2A.Container.imagePullPolicy, 2A.Container.command, 2A.Container.args, 2A.Container.workingDir
// @covers 2A.Container.envFrom, 2A.Container.securityContext, 2A.Container.env, 2A.Container.resources
// @covers 2A.Container.volumeMounts, 2A.Container.restartPolicy, 2A.EnvVar.value, 2A.EnvVar.valueFrom
// @covers 2A.ResourceRequirements.limits, 2A.ResourceRequirements.requests
test("every field of volumes, mounts and containers is stored, an absent value of a variable as an empty one", async () => {
  const client = await start({ strict: true });
  const { id } = await createDeployment(client, withSpec(fullSpec));
  const stored = JSON.parse(JSON.stringify(fullSpec).replace('{"name":"Empty"}', '{"name":"Empty","value":""}'));
  expect((await client.get(`/v2/deployments/${id}`)).body.source_config.resource_spec).toEqual(stored);
});

describe("the required field", () => {
  // @covers 2A.LocalObjectReference.name, 2A.Volume.name, 2A.VolumeMount.name, 2A.VolumeMount.mountPath
  // @covers 2A.Container.name, 2A.Container.image, 2A.Container.env, 2A.EnvVar.name
  test.each<[string, object, string]>([
    ["LocalObjectReference.name", { image_pull_secrets: [{}] }, "image_pull_secrets.0.name"],
    ["Volume.name", { volumes: [{ emptyDir: {} }] }, "volumes.0.name"],
    ["VolumeMount.name", { volume_mounts: [{ mountPath: "/a" }] }, "volume_mounts.0.name"],
    [
      ...["VolumeMount.mountPath", { volumes: [{ name: "a" }], volume_mounts: [{ name: "a" }] }],
      "volume_mounts.0.mountPath",
    ] as [string, object, string],
    ["Container.name", { sidecars: [{ image: "x:1" }] }, "sidecars.0.name"],
    ["Container.image", { init_containers: [{ name: "a" }] }, "init_containers.0.image"],
    ["EnvVar.name", { sidecars: [{ ...sidecar, env: [{ value: "x" }] }] }, "sidecars.0.env.0.name"],
  ])("%s cannot be absent", async (_, spec, loc) => {
    const client = await start({ strict: true });
    expect(await validationErrors(client, spec)).toEqual([["missing", loc]]);
  });
});

describe("a volume", () => {
  // @covers 2A.Volume.configMap, 2A.Volume.secret, 2A.Volume.emptyDir, 2A.Volume.persistentVolumeClaim, 2A.Volume.nfs
  // @covers 2A.Volume.projected, 2A.Volume.downwardAPI, 2A.Volume.csi
  test.each(["configMap", "secret", "emptyDir", "persistentVolumeClaim", "nfs", "projected", "downwardAPI", "csi"])(
    "accepts any object as %s, and nothing else",
    async (kind) => {
      const client = await start({ strict: true });
      expect(await validationErrors(client, { volumes: [{ name: "a", [kind]: "text" }] })).toEqual([
        ["dict_type", `volumes.0.${kind}`],
      ]);
      await createDeployment(client, withSpec({ volumes: [{ name: "a", [kind]: { any: { thing: [1] } } }] }));
    },
  );
});

describe("names", () => {
  // @covers 2A.Volume.name
  test.each(["a", "a-1", "1a", "a".repeat(63)])("of a volume and a container may be the DNS label %s", async (name) => {
    const client = await start({ strict: true });
    await createDeployment(client, withSpec({ volumes: [{ name }], sidecars: [{ ...sidecar, name }] }));
  });

  // @covers 2A.Volume.name, 2A.Container.name
  test.each(["", "A", "a_b", "-a", "a-", "a.b", "a".repeat(64)])(
    "of a volume and a container cannot be %j",
    async (name) => {
      const client = await start({ strict: true });
      const errors = await validationErrors(client, { volumes: [{ name }], init_containers: [{ ...sidecar, name }] });
      expect(errors.map((item) => (item as string[])[1])).toEqual(["volumes.0.name", "init_containers.0.name"]);
    },
  );

  // @covers 2A.EnvVar.name
  test.each(["", "1A", "A-B", "A.B", "A B"])("of variables must be C identifiers, unlike %j", async (name) => {
    const client = await start({ strict: true });
    expect(await validationErrors(client, { sidecars: [{ ...sidecar, env: [{ name, value: "x" }] }] })).toEqual([
      ["string_pattern_mismatch", "sidecars.0.env.0.name"],
    ]);
  });
});

describe("the container field", () => {
  // @covers 2A.Container.imagePullPolicy, 2A.Container.restartPolicy
  test.each([
    ...["Always", "Never", "IfNotPresent"].map((value) => ["imagePullPolicy", value, true] as const),
    ...["Always", "OnFailure"].map((value) => ["restartPolicy", value, true] as const),
    ...[["imagePullPolicy", "always", false] as const, ["restartPolicy", "Never", false] as const],
  ])("%s with the value %s is valid: %p", async (field, value, isAllowed) => {
    const client = await start({ strict: true });
    const { status } = await client.post("/v2/deployments", withSpec({ sidecars: [{ ...sidecar, [field]: value }] }));
    expect(status).toBe(isAllowed ? 201 : 422);
  });
});

describe("a value of the wrong type", () => {
  // @covers 2A.VolumeMount.subPath, 2A.VolumeMount.mountPropagation, 2A.VolumeMount.readOnly
  // @covers 2A.VolumeMount.subPathExpr, 2A.Container.command, 2A.Container.args, 2A.Container.workingDir
  // @covers 2A.Container.envFrom, 2A.Container.securityContext, 2A.Container.resources, 2A.EnvVar.valueFrom
  // @covers 2A.ResourceRequirements.limits, 2A.ResourceRequirements.requests
  test.each<[string, object, string]>([
    ["a read-only flag that is text", { volume_mounts: [{ name: "a", mountPath: "/", readOnly: "?" }] }, "readOnly"],
    ["a command that is text", { sidecars: [{ ...sidecar, command: "sh" }] }, "command"],
    ["an argument that is a number", { sidecars: [{ ...sidecar, args: [1] }] }, "0"],
    ["a working directory that is a number", { sidecars: [{ ...sidecar, workingDir: 1 }] }, "workingDir"],
    ["an environment source that is text", { sidecars: [{ ...sidecar, envFrom: ["s"] }] }, "0"],
    ["a limit that is a number", { sidecars: [{ ...sidecar, resources: { limits: { cpu: 1 } } }] }, "cpu"],
    ["a request that is a number", { sidecars: [{ ...sidecar, resources: { requests: { cpu: 1 } } }] }, "cpu"],
    ["a security context that is text", { sidecars: [{ ...sidecar, securityContext: "root" }] }, "securityContext"],
    ["a value source that is text", { sidecars: [{ ...sidecar, env: [{ name: "A", valueFrom: "b" }] }] }, "valueFrom"],
    [
      "a propagation that is true",
      { volume_mounts: [{ name: "a", mountPath: "/", mountPropagation: true }] },
      "mountPropagation",
    ],
    ["a sub-path that is a number", { volume_mounts: [{ name: "a", mountPath: "/", subPath: 1 }] }, "subPath"],
    [
      "an expression that is a number",
      { volume_mounts: [{ name: "a", mountPath: "/", subPathExpr: 1 }] },
      "subPathExpr",
    ],
  ])("is rejected: %s", async (_, spec, field) => {
    const client = await start({ strict: true });
    const errors = await validationErrors(client, { volumes: [{ name: "a" }], ...spec });
    expect(
      String((errors[0] as string[])[1])
        .split(".")
        .at(-1),
    ).toBe(field);
  });
});

// @covers 2A.VolumeMount.name, 2A.Container.volumeMounts
test("a container can mount only volumes of its own deployment", async () => {
  const client = await start({ strict: true });
  const mounts = { volumeMounts: [{ name: "b", mountPath: "/b" }] };
  const spec = {
    volumes: [{ name: "a" }],
    init_containers: [{ ...sidecar, ...mounts }],
    sidecars: [{ ...sidecar, ...mounts }],
  };
  expect(await validationErrors(client, spec)).toEqual([
    ["value_error", "init_containers.0.volumeMounts.0.name"],
    ["value_error", "sidecars.0.volumeMounts.0.name"],
  ]);
});
