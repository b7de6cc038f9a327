/**
 * The orchestrator's own objects inside a ResourceSpec (interface section 2, LocalObjectReference to
 * ResourceRequirements). Their keys are camelCase on the wire too, and free-form parts belong to the user.
 */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";

const dnsLabel = z
  .string()
  .regex(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    "must be a DNS label: lower-case letters, digits and hyphens, at most 63",
  );
const freeForm = (what: string) => z.record(z.string(), z.unknown()).optional().describe(what);
const quantities = (what: string) => z.record(z.string(), z.string()).optional().describe(what);

export const imagePullSecret = z
  .strictObject({ name: z.string().describe("Name of the secret.") })
  .register(fieldMetadata, { interface: "LocalObjectReferenceArgs", keepCase: true });

export const volume = z
  .strictObject({
    name: dnsLabel.describe("Name of the volume: a DNS label, unique within the pod."),
    configMap: freeForm("A config map as the source, as the orchestrator writes it."),
    secret: freeForm("A secret as the source, as the orchestrator writes it."),
    emptyDir: freeForm("An empty folder as the source, as the orchestrator writes it."),
    persistentVolumeClaim: freeForm("A persistent volume claim as the source, as the orchestrator writes it."),
    nfs: freeForm("A network share as the source, as the orchestrator writes it."),
    projected: freeForm("Several sources in one, as the orchestrator writes it."),
    downwardAPI: freeForm("Facts about the pod as the source, as the orchestrator writes it."),
    csi: freeForm("A storage driver as the source, as the orchestrator writes it."),
  })
  .register(fieldMetadata, { interface: "VolumeArgs", keepCase: true });

export const volumeMount = z
  .strictObject({
    name: z.string().describe("Name of the volume to mount; it must be in `volumes`."),
    mountPath: z.string().describe("Where in the container it appears."),
    subPath: z.string().optional().describe("Path within the volume; its root when absent."),
    mountPropagation: z
      .string()
      .optional()
      .describe("How mounts spread between host and container; not at all when absent."),
    readOnly: z.boolean().optional().describe("Whether it cannot be written; false when absent."),
    subPathExpr: z
      .string()
      .optional()
      .describe("Path within the volume, with variables of the environment expanded; its root when absent."),
  })
  .register(fieldMetadata, { interface: "VolumeMountArgs", keepCase: true });

const envVar = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a C identifier: letters, digits and underscores, not first a digit")
      .describe("Name of the variable, a C identifier."),
    value: z.string().optional().describe("Its value; empty when absent. Not together with `valueFrom`."),
    valueFrom: freeForm(
      "Where the value comes from, as the orchestrator writes it. Not together with a non-empty `value`.",
    ),
  })
  .register(fieldMetadata, { interface: "EnvVarArgs", keepCase: true });

const requirements = z
  .strictObject({
    limits: quantities('Upper bound of each resource, such as `{ cpu: "500m" }`; none when absent.'),
    requests: quantities("What is set aside of each resource; the limits when absent."),
  })
  .register(fieldMetadata, { interface: "ResourceRequirementsArgs", keepCase: true });

export const container = z
  .strictObject({
    name: dnsLabel.describe("Name of the container, a DNS label."),
    image: z.string().describe("Image to run."),
    imagePullPolicy: z
      .enum(["Always", "Never", "IfNotPresent"])
      .optional()
      .describe("When the image is pulled; the orchestrator's rule when absent."),
    command: z.array(z.string()).optional().describe("Entry point; the image's when absent."),
    args: z.array(z.string()).optional().describe("Arguments of the entry point; the image's when absent."),
    workingDir: z.string().optional().describe("Working folder; the image's when absent."),
    env: z.array(envVar).optional().describe("Environment variables; none when absent."),
    envFrom: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe("Sources of whole environments, as the orchestrator writes them; none when absent."),
    resources: requirements.optional().describe("CPU and memory of the container; none set aside when absent."),
    volumeMounts: z.array(volumeMount).optional().describe("Volumes it mounts; none when absent."),
    securityContext: freeForm("Security context, as the orchestrator writes it."),
    restartPolicy: z
      .enum(["Always", "OnFailure"])
      .optional()
      .describe("When a sidecar is started again; the orchestrator's rule when absent."),
  })
  .register(fieldMetadata, { interface: "ContainerArgs", keepCase: true });
export type Container = z.infer<typeof container>;
