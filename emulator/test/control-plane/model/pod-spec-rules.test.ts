import { docker, start } from "../../support/emulator";
import { specErrors, specWithDefaults } from "../../support/resource-spec";

describe("volumes and containers", () => {
  const container = { name: "side", image: "x:1" };

  // @covers 2A.SourceConfig.resource_spec
  test("are accepted if they are consistent", async () => {
    const spec = {
      labels: { team: "a" },
      annotations: { note: "b" },
      service_account_name: "agent",
      image_pull_secrets: [{ name: "registry" }],
      volumes: [{ name: "data", emptyDir: {} }],
      volume_mounts: [{ name: "data", mountPath: "/data", readOnly: true }],
      init_containers: [{ ...container, command: ["sh"], args: ["-c", "true"], imagePullPolicy: "Always" }],
      sidecars: [
        {
          ...container,
          workingDir: "/",
          restartPolicy: "Always",
          securityContext: { runAsUser: 1 },
          envFrom: [{ secretRef: {} }],
          resources: { limits: { cpu: "1" }, requests: { memory: "1Gi" } },
          env: [
            { name: "A_1", value: "x" },
            { name: "_b", value: "", valueFrom: { fieldRef: {} } },
          ],
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      db_storage_gi: 10,
      db_max_connections: 100,
    };
    expect(await specWithDefaults(spec)).toEqual(spec);
  });

  // @covers 2A.Volume.name:unique, 2A.VolumeMount.name, 2A.EnvVar.valueFrom
  test.each([
    [
      "a volume name that is not a DNS label",
      { volumes: [{ name: "Data_1" }] },
      "volumes.0.name",
      "string_pattern_mismatch",
    ],
    ["a volume name twice", { volumes: [{ name: "a" }, { name: "a" }] }, "volumes.1.name", "value_error"],
    [
      "a mount of an unknown volume",
      { volume_mounts: [{ name: "a", mountPath: "/" }] },
      "volume_mounts.0.name",
      "value_error",
    ],
    [
      "a mount without a path",
      { volumes: [{ name: "a" }], volume_mounts: [{ name: "a" }] },
      "volume_mounts.0.mountPath",
      "missing",
    ],
    ["a container without an image", { sidecars: [{ name: "a" }] }, "sidecars.0.image", "missing"],
    [
      "an unknown pull policy",
      { sidecars: [{ ...container, imagePullPolicy: "Maybe" }] },
      "sidecars.0.imagePullPolicy",
      "enum",
    ],
    [
      "an unknown restart policy",
      { sidecars: [{ ...container, restartPolicy: "Never" }] },
      "sidecars.0.restartPolicy",
      "enum",
    ],
    [
      "an EnvVar name that is not a C identifier",
      { sidecars: [{ ...container, env: [{ name: "1-A" }] }] },
      "sidecars.0.env.0.name",
      "string_pattern_mismatch",
    ],
    [
      "an EnvVar with both values",
      { init_containers: [{ ...container, env: [{ name: "A", value: "1", valueFrom: {} }] }] },
      "init_containers.0.env.0.valueFrom",
      "value_error",
    ],
    ["a pull secret without a name", { image_pull_secrets: [{}] }, "image_pull_secrets.0.name", "missing"],
  ])("are rejected for %s", async (_: string, spec: object, loc: string, type: string) => {
    const client = await start({ strict: true });
    expect(await specErrors(client, spec)).toEqual([[loc, type]]);
  });

  test.each([
    [
      { redis_memory_mb: 512, redis_memory_limit_mb: 256 },
      "redis_memory_limit_mb must not be less than redis_memory_mb",
    ],
    [{ volumes: [{ name: "a" }, { name: "b" }, { name: "a" }] }, "volume name 'a' is not unique"],
    [{ volumes: [{ name: "a" }], volume_mounts: [{ name: "b", mountPath: "/" }] }, "'b' matches no volume"],
    [
      { sidecars: [{ ...container, env: [{ name: "A", value: "1", valueFrom: {} }] }] },
      "valueFrom cannot be used when value is not empty",
    ],
  ])("are rejected with the reason: %j", async (resource_spec, reason) => {
    const client = await start({ strict: true });
    const { body } = await client.post("/v2/deployments", docker("agent", { source_config: { resource_spec } }));
    expect(body.detail.map(({ msg }) => msg)).toEqual([`Value error, ${reason}`]);
  });
});
