/**
 * Objects of the container orchestrator (API `2A.SecretReference`, and LocalObjectReference to ResourceRequirements).
 * Inside a ResourceSpec their keys are camelCase on the wire too, and free-form parts belong to the user.
 */
import { z } from "zod";
import { fieldMetadata, optionalFlag, optionalText } from "../../schema/schema";

const dnsLabel = z
  .string()
  .regex(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    "must be a DNS label: at most 63 lowercase letters, digits and hyphens",
  );
const freeForm = (description: string) => z.record(z.string(), z.unknown()).optional().describe(description);
const quantities = (description: string) => z.record(z.string(), z.string()).optional().describe(description);

export const secretReference = z
  .strictObject({
    secretName: z.string().describe("Name of an existing orchestrator secret in the namespace of the deployment."),
    secretKey: z.string().describe("Key within the secret."),
  })
  .register(fieldMetadata, { interface: "SecretReferenceArgs", description: "A key of an orchestrator secret." });

export const imagePullSecret = z
  .strictObject({ name: z.string().describe("Name of the secret.") })
  .register(fieldMetadata, {
    interface: "LocalObjectReferenceArgs",
    description: "A reference to a secret in the namespace of the deployment.",
    keepCase: true,
  });

export const volume = z
  .strictObject({
    name: dnsLabel.describe("Name of the volume: a DNS label that is unique within the pod."),
    configMap: freeForm("Config map as the source, in the Kubernetes format."),
    secret: freeForm("Secret as the source, in the Kubernetes format."),
    emptyDir: freeForm("Empty directory as the source, in the Kubernetes format."),
    persistentVolumeClaim: freeForm("Persistent volume claim as the source, in the Kubernetes format."),
    nfs: freeForm("NFS share as the source, in the Kubernetes format."),
    projected: freeForm("Several sources combined, in the Kubernetes format."),
    downwardAPI: freeForm("Pod fields as the source, in the Kubernetes format."),
    csi: freeForm("CSI driver as the source, in the Kubernetes format."),
  })
  .register(fieldMetadata, {
    interface: "VolumeArgs",
    description: "A volume that containers may mount.",
    keepCase: true,
  });

export const volumeMount = z
  .strictObject({
    name: z.string().describe("Name of a volume in `volumes`."),
    mountPath: z.string().describe("Path in the container at which the volume is mounted."),
    subPath: optionalText("Path within the volume. Defaults to its root."),
    mountPropagation: optionalText("How mounts propagate between host and container. Defaults to no propagation."),
    readOnly: optionalFlag("Whether the mount is read-only. Defaults to false."),
    subPathExpr: optionalText("Path within the volume, with environment variables expanded. Defaults to its root."),
  })
  .register(fieldMetadata, {
    interface: "VolumeMountArgs",
    description: "A volume that is mounted in a container.",
    keepCase: true,
  });

const envVar = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_]*$/,
        "must be a C identifier: letters, digits and underscores, not starting with a digit",
      )
      .describe("Name of the variable: a C identifier."),
    value: z
      .string()
      .register(fieldMetadata, { absentMeans: "" })
      .optional()
      .describe("Value of the variable. Defaults to an empty string. Cannot be combined with `valueFrom`."),
    valueFrom: freeForm("Source of the value, in the Kubernetes format. Cannot be combined with a non-empty `value`."),
  })
  .register(fieldMetadata, {
    interface: "EnvVarArgs",
    description: "An environment variable of a container.",
    keepCase: true,
  });

const requirements = z
  .strictObject({
    limits: quantities('Limit of each resource, such as `{ cpu: "500m" }`. Defaults to no limit.'),
    requests: quantities("Request of each resource. Defaults to the limit."),
  })
  .register(fieldMetadata, {
    interface: "ResourceRequirementsArgs",
    description: "CPU and memory of a container.",
    keepCase: true,
  });

export const container = z
  .strictObject({
    name: dnsLabel.describe("Name of the container: a DNS label."),
    image: z.string().describe("Image to run."),
    imagePullPolicy: z
      .enum(["Always", "Never", "IfNotPresent"])
      .optional()
      .describe("When the image is pulled. Defaults to the Kubernetes policy."),
    command: z.array(z.string()).optional().describe("Entry point. Defaults to that of the image."),
    args: z.array(z.string()).optional().describe("Arguments of the entry point. Default to those of the image."),
    workingDir: optionalText("Working directory. Defaults to that of the image."),
    env: z.array(envVar).optional().describe("Environment variables."),
    envFrom: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe("Sources of environment variables, in the Kubernetes format."),
    resources: requirements.optional().describe("CPU and memory of the container. Default to no requests."),
    volumeMounts: z.array(volumeMount).optional().describe("Volume mounts of the container."),
    securityContext: freeForm("Security context, in the Kubernetes format."),
    restartPolicy: z
      .enum(["Always", "OnFailure"])
      .optional()
      .describe("When a sidecar is restarted. Defaults to the Kubernetes policy."),
  })
  .register(fieldMetadata, {
    interface: "ContainerArgs",
    description: "A container that runs before or alongside the agent server.",
    keepCase: true,
  });
export type Container = z.infer<typeof container>;
