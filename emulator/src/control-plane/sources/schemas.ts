import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";

/** Sources and deployment targets: API `4A`. */
export const listener = v.object("Listener", {
  id: v.required(v.uuid()),
  compute_type: v.required(v.string()),
  compute_id: v.required(v.string()),
  compute_config: v.required(v.object("ComputeConfig", { k8s_namespaces: v.list(v.string()) })),
});

export const listenersList = v.object("ListenersList", {
  resources: v.required(v.list(listener)),
  offset: v.required(v.integer()),
});

export const integrationsList = v.list(
  v.object("Integration", {
    id: v.required(v.uuid()),
    installation_id: v.required(v.integer()),
    name: v.required(v.string()),
  }),
);

export const repositoriesList = v.list(
  v.object("Repository", {
    id: v.required(v.integer()),
    name: v.required(v.string()),
    owner: v.required(v.string()),
    url: v.required(v.string()),
    default_branch: v.required(v.string()),
    host_integration_id: v.required(v.uuid()),
  }),
);

export const uploadUrlBody = v.object("UploadUrlRequest", { supports_upload_headers: v.nullable(v.boolean()) });
export type UploadUrlBody = v.Infer<typeof uploadUrlBody>;

export const uploadUrl = v.object("UploadUrl", {
  upload_url: v.required(v.string()),
  object_path: v.required(v.string()),
  upload_headers: v.map(v.string()),
});

export const pushTokenBody = v.object("PushTokenRequest", { supports_registry_username: v.nullable(v.boolean()) });
export type PushTokenBody = v.Infer<typeof pushTokenBody>;

export const pushToken = v.object("PushToken", {
  token: v.required(v.string()),
  registry_url: v.required(v.string()),
  username: v.string(),
  repository_url: v.string(),
});

export const deleteManyQuery = {
  deployment_ids: v.required(v.list(v.uuid(), { maxItems: limits.deleteMany.maxIds })),
} as const;

export const deletions = v.object("Deletions", {
  deleted: v.required(v.list(v.uuid())),
  failed: v.required(v.list(v.object("FailedDeletion", { id: v.required(v.uuid()), detail: v.required(v.string()) }))),
});
