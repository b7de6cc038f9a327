import { limits } from "../limits";
import {
  boolean,
  type Infer,
  integer,
  list,
  map,
  nullable,
  object,
  required,
  string,
  uuid,
} from "../validation/schema";

/** Where sources come from and where deployments go to: interface-notes.md section 2. */
export const listener = object("Listener", {
  id: required(uuid()),
  compute_type: required(string()),
  compute_id: required(string()),
  compute_config: required(object("ComputeConfig", { k8s_namespaces: list(string()) })),
});

export const listenersList = object("ListenersList", {
  resources: required(list(listener)),
  offset: required(integer()),
});

export const integrationsList = list(
  object("Integration", { id: required(uuid()), installation_id: required(integer()), name: required(string()) }),
);

export const repositoriesList = list(
  object("Repository", {
    id: required(integer()),
    name: required(string()),
    owner: required(string()),
    url: required(string()),
    default_branch: required(string()),
    host_integration_id: required(uuid()),
  }),
);

export const uploadUrlBody = object("UploadUrlRequest", { supports_upload_headers: nullable(boolean()) });
export type UploadUrlBody = Infer<typeof uploadUrlBody>;

export const uploadUrl = object("UploadUrl", {
  upload_url: required(string()),
  object_path: required(string()),
  upload_headers: map(string()),
});

export const pushTokenBody = object("PushTokenRequest", { supports_registry_username: nullable(boolean()) });
export type PushTokenBody = Infer<typeof pushTokenBody>;

export const pushToken = object("PushToken", {
  token: required(string()),
  registry_url: required(string()),
  username: string(),
  repository_url: string(),
});

export const deleteManyQuery = {
  deployment_ids: required(list(uuid(), { maxItems: limits.deleteMany.maxIds })),
} as const;

export const deletions = object("Deletions", {
  deleted: required(list(uuid())),
  failed: required(list(object("FailedDeletion", { id: required(uuid()), detail: required(string()) }))),
});
