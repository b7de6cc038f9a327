import {
  boolean,
  byDefault,
  datetime,
  type Fields,
  free,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  required,
  string,
  uuid,
} from "../validation/schema";

const interfaceConfig = {
  bucket_name: required(string({ minLength: 3, maxLength: 63 })),
  prefix: byDefault(string({ maxLength: 2048 }), ""),
  region: byDefault(nullable(string({ minLength: 1 })), null),
  endpoint_url: byDefault(nullable(string({ maxLength: 2048 })), null),
} as const;

/** interface-notes.md section 3: what clients of S3 are told besides. */
const clientConfig = object("S3ClientConfig", {
  addressing_style: nullable(oneOf(["auto", "virtual", "path"])),
  use_accelerate_endpoint: nullable(boolean()),
  payload_signing_enabled: nullable(boolean()),
  us_east_1_regional_endpoint: nullable(oneOf(["regional", "legacy"])),
});

export const wholeConfig = object("DestinationConfig", {
  ...interfaceConfig,
  include_bucket_in_prefix: byDefault(boolean(), true),
  config_kwargs_s3: byDefault(nullable(clientConfig), null),
  s3_additional_kwargs: byDefault(nullable(free()), null),
});
export type DestinationConfig = Infer<typeof wholeConfig>;

const key = required(string({ minLength: 1, maxLength: 255 }));
const secret = required(string({ minLength: 1, maxLength: 2048 }));
const interfaceCredentials = { access_key_id: key, secret_access_key: secret } as const;
export const wholeCredentials = object("DestinationCredentials", {
  ...interfaceCredentials,
  session_token: nullable(string({ maxLength: 2048 })),
});
export type DestinationCredentials = Infer<typeof wholeCredentials>;

const displayName = required(string({ minLength: 1, pattern: "^[a-zA-Z0-9\\-_ ']+$" }));
const destinationType = byDefault(oneOf(["s3"]), "s3");

const wholeCreateBody = object("DestinationCreate", {
  destination_type: destinationType,
  display_name: displayName,
  config: required(wholeConfig),
  credentials: nullable(wholeCredentials),
});
export type DestinationCreate = Infer<typeof wholeCreateBody>;

/** POST: interface.md section 2 C; with the notes' fields unless the interface alone is served. */
export function destinationCreateBody(interfaceOnly: boolean) {
  if (!interfaceOnly) return wholeCreateBody;
  return object("DestinationCreate", {
    destination_type: destinationType,
    display_name: required(string()),
    config: required(object("DestinationConfig", interfaceConfig)),
    credentials: nullable(object("DestinationCredentials", interfaceCredentials)),
  });
}

/** PATCH: only the credentials can change, as a whole. */
export const destinationPatchBody = object("DestinationUpdate", { credentials: required(wholeCredentials) });
export type DestinationPatch = Infer<typeof destinationPatchBody>;

const answerFields = {
  id: required(uuid()),
  tenant_id: required(uuid()),
  destination_type: required(destinationType),
  display_name: required(string()),
  config: required(wholeConfig),
  credentials_keys: required(list(string())),
  created_at: required(datetime()),
  updated_at: required(datetime()),
} as const satisfies Fields;

export const destination = object("Destination", answerFields);
export const destinations = list(destination);
/** interface.md section 4 C: "Object with `id`". */
export const onlyId = object("Created", { id: required(uuid()) });
