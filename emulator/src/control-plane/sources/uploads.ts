import { randomBytes, randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { limits } from "../../runtime/limits";
import { requireUndeletedDeployment } from "../lookup";
import type { UploadUrlBody } from "./schemas";
import { Tarballs } from "./tarballs";

const contentType = { "Content-Type": "application/gzip" };
const todaysHeaders = { ...contentType, "X-Goog-Content-Length-Range": `0,${limits.tarball.maxBytes}` };
/** Headers that newer servers require from clients that announce support for them. */
const newerHeaders = { ...contentType, "X-Content-Length-Range": `0,${limits.tarball.maxBytes}` };

/** POST /deployments/{deployment_id}/upload-url: returns an upload URL and the object path of the tarball. */
export function createUploadUrl(context: Context, request: ApiRequest): ApiResponse {
  const deployment = requireUndeletedDeployment(context, request);
  if (deployment.source !== "internal_source") {
    throw new ApiError(400, "Only a deployment of source 'internal_source' accepts a source tarball");
  }
  const includesHeaders = (request.body as UploadUrlBody | undefined)?.supports_upload_headers === true;
  const id = randomUUID();
  const signature = randomBytes(16).toString("hex");
  const object_path = `sources/${deployment.id}/${id}.tar.gz`;
  // API `4A.upload:range`: the platform of today returns no headers, and requires one.
  const isToday = context.settings.platform === "today";
  const required = includesHeaders ? newerHeaders : contentType;
  const headers = isToday ? todaysHeaders : required;
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
  return {
    status: 200,
    body: { upload_url, object_path, ...(includesHeaders && !isToday && { upload_headers: headers }) },
  };
}

/** PUT of the upload URL: authenticated by its signature alone. Like an object store, does not inspect the body. */
export function receiveUpload(context: Context, request: ApiRequest<{ signature: string }>): ApiResponse {
  const { store, clock, settings } = context;
  const id = request.params.upload_id ?? "";
  const row = store.get("SELECT signature, headers FROM tarballs WHERE id = ?", id);
  if (!row || row.signature !== request.query.signature) throw new ApiError(403, "The signature does not match");
  const requiredHeaders: Record<string, string> = JSON.parse(String(row.headers));
  for (const [name, value] of Object.entries(requiredHeaders)) {
    if (request.header(name.toLowerCase()) !== value) {
      throw new ApiError(403, `The signature does not match: it was made for the header ${name}: ${value}`);
    }
  }
  if (request.header("x-api-key") !== undefined || request.header("authorization") !== undefined) {
    const warning =
      "do not send an API key with an upload: the URL is signed, and the key would be disclosed to another host";
    if (settings.strict) throw new ApiError(400, warning);
    request.addNote(warning);
  }
  new Tarballs(context).write(id, request.bytes);
  store.run("UPDATE tarballs SET uploaded_at = ? WHERE id = ?", clock.isoNow(), id);
  return { status: 200 };
}

/**
 * Returns whether a path came from this deployment's own upload URL; others are rejected (API
 * `2A.SourceRevisionConfig.source_tarball_path:origin`).
 */
export function isUploadOf({ store }: Context, deploymentId: string, objectPath: string): boolean {
  const sql = "SELECT 1 FROM tarballs WHERE object_path = ? AND deployment_id = ?";
  return store.get(sql, objectPath, deploymentId) !== undefined;
}

/** Returns the content of an uploaded tarball; undefined before the upload. */
export function uploadedTarball(context: Context, objectPath: string): Buffer | undefined {
  const sql = "SELECT id FROM tarballs WHERE object_path = ? AND uploaded_at IS NOT NULL";
  const row = context.store.get(sql, objectPath);
  return row && new Tarballs(context).read(String(row.id));
}

/** Deletes tarballs whose deployment no longer exists. */
export function deleteOrphanedTarballs(context: Context): void {
  const { store } = context;
  store.afterCommit(() => {
    const ids = store.all("SELECT id FROM tarballs").map((row) => String(row.id));
    new Tarballs(context).deleteExcept(ids);
  });
}
