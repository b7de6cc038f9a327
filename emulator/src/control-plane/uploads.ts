import { randomBytes, randomUUID } from "node:crypto";
import type { Context } from "../context";
import { ApiError } from "../errors";
import type { Answer, Call } from "../routes";
import { requireLivingDeployment } from "./lookup";

/** POST /deployments/{deployment_id}/upload-url: where to put a source tarball, and the path it will have. */
export function createUploadUrl(context: Context, call: Call): Answer {
  const deployment = requireLivingDeployment(context, call);
  if (deployment.source !== "internal_source") {
    throw new ApiError(400, "Only a deployment of source 'internal_source' takes a source tarball");
  }
  const id = randomUUID();
  const signature = randomBytes(16).toString("hex");
  const object_path = `sources/${deployment.id}/${id}.tar.gz`;
  const created_at = context.clock.iso();
  context.store.put("uploads", { id, deployment_id: deployment.id, object_path, signature, created_at, content: null });
  return { status: 200, body: { upload_url: `${call.origin}/uploads/${id}?signature=${signature}`, object_path } };
}

/** PUT of the upload url: no API key, the signature is enough, as with an object store. */
export function takeUpload({ store }: Context, call: Call<{ signature?: string }>): Answer {
  const id = call.params.upload_id ?? "";
  const upload = store.get("SELECT signature FROM uploads WHERE id = ?", id);
  if (!upload || upload.signature !== call.query.signature) throw new ApiError(403, "The signature does not match");
  if (call.header("content-type") !== "application/gzip")
    throw new ApiError(403, "Content-Type must be application/gzip");
  if (call.bytes[0] !== 0x1f || call.bytes[1] !== 0x8b) throw new ApiError(400, "The body is not gzip");
  store.run("UPDATE uploads SET content = ? WHERE id = ?", call.bytes, id);
  return { status: 200 };
}

/** Whether a path came from this deployment's own upload url; arbitrary paths are rejected (interface.md section 2). */
export function isOwnUpload({ store }: Context, deploymentId: string, objectPath: string): boolean {
  const sql = "SELECT 1 AS found FROM uploads WHERE object_path = ? AND deployment_id = ?";
  return store.get(sql, objectPath, deploymentId) !== undefined;
}

/** Whether anything was put there. */
export function isUploaded({ store }: Context, objectPath: string): boolean {
  return (
    store.get("SELECT 1 AS found FROM uploads WHERE object_path = ? AND content IS NOT NULL", objectPath) !== undefined
  );
}
