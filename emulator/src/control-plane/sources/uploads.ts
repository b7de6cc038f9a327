import { randomBytes, randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { limits } from "../../runtime/limits";
import { requireLivingDeployment } from "../lookup";
import type { UploadUrlBody } from "./schemas";
import { Tarballs } from "./tarballs";

const contentType = { "Content-Type": "application/gzip" };
/** What only a newer server asks for, and only from a client that said it would send it. */
const newerHeaders = { ...contentType, "X-Content-Length-Range": `0,${limits.tarball.maxBytes}` };

/** POST /deployments/{deployment_id}/upload-url: where to put a source tarball, and the path it will have. */
export function createUploadUrl(context: Context, request: ApiRequest): ApiResponse {
  const deployment = requireLivingDeployment(context, request);
  if (deployment.source !== "internal_source") {
    throw new ApiError(400, "Only a deployment of source 'internal_source' takes a source tarball");
  }
  const newer = (request.body as UploadUrlBody | undefined)?.supports_upload_headers === true;
  const id = randomUUID();
  const signature = randomBytes(16).toString("hex");
  const object_path = `sources/${deployment.id}/${id}.tar.gz`;
  const headers = newer ? newerHeaders : contentType;
  context.store.upsert("tarballs", {
    id,
    deployment_id: deployment.id,
    object_path,
    signature,
    headers: JSON.stringify(headers),
    created_at: context.clock.isoNow(),
    uploaded_at: null,
  });
  const upload_url = `${request.origin}/uploads/${id}?signature=${signature}`;
  return { status: 200, body: { upload_url, object_path, ...(newer && { upload_headers: headers }) } };
}

/** PUT of the upload url: no API key, the signature is enough. Like an object store it does not look into the body. */
export function takeUpload(context: Context, request: ApiRequest<{ signature: string }>): ApiResponse {
  const { store, clock, settings } = context;
  const id = request.params.upload_id ?? "";
  const row = store.get("SELECT signature, headers FROM tarballs WHERE id = ?", id);
  if (!row || row.signature !== request.query.signature) throw new ApiError(403, "The signature does not match");
  const signed: Record<string, string> = JSON.parse(String(row.headers));
  for (const [name, value] of Object.entries(signed)) {
    if (request.header(name.toLowerCase()) !== value) {
      throw new ApiError(403, `The signature does not match: it was made for the header ${name}: ${value}`);
    }
  }
  if (request.header("x-api-key") !== undefined || request.header("authorization") !== undefined) {
    const remark = "an upload needs no API key: its url is signed, and another host would learn the key";
    if (settings.strict) throw new ApiError(400, remark);
    request.addNote(remark);
  }
  new Tarballs(context).write(id, request.bytes);
  store.run("UPDATE tarballs SET uploaded_at = ? WHERE id = ?", clock.isoNow(), id);
  return { status: 200 };
}

/** Whether a path came from this deployment's own upload url; arbitrary paths are rejected (interface.md section 2). */
export function isOwnUpload({ store }: Context, deploymentId: string, objectPath: string): boolean {
  const sql = "SELECT 1 FROM tarballs WHERE object_path = ? AND deployment_id = ?";
  return store.get(sql, objectPath, deploymentId) !== undefined;
}

/** What was put there, if anything was. */
export function uploadedTarball(context: Context, objectPath: string): Buffer | undefined {
  const sql = "SELECT id FROM tarballs WHERE object_path = ? AND uploaded_at IS NOT NULL";
  const row = context.store.get(sql, objectPath);
  return row && new Tarballs(context).read(String(row.id));
}

/** Forgets the tarballs that no deployment has any more. */
export function sweepTarballs(context: Context): void {
  const { store } = context;
  store.afterCommit(() => {
    const ids = store.all("SELECT id FROM tarballs").map((row) => String(row.id));
    new Tarballs(context).keepOnly(ids);
  });
}
