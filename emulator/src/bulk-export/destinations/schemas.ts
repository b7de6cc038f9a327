import type { Settings } from "../../runtime/options";
import * as v from "../../runtime/validation/schema";

const interfaceConfig = {
  bucket_name: v.required(v.string({ minLength: 3, maxLength: 63 })),
  prefix: v.withDefault(v.string({ maxLength: 2048 }), ""),
  region: v.withDefault(v.nullable(v.string({ minLength: 1 })), null),
  endpoint_url: v.withDefault(v.nullable(v.string({ maxLength: 2048 })), null),
} as const;

/** API `2C.Destination.config:more`: further options of S3 clients. */
const clientConfig = v.object("S3ClientConfig", {
  addressing_style: v.nullable(v.enumOf(["auto", "virtual", "path"])),
  use_accelerate_endpoint: v.nullable(v.boolean()),
  payload_signing_enabled: v.nullable(v.boolean()),
  us_east_1_regional_endpoint: v.nullable(v.enumOf(["regional", "legacy"])),
});

export const fullConfig = v.object("DestinationConfig", {
  ...interfaceConfig,
  include_bucket_in_prefix: v.withDefault(v.boolean(), true),
  config_kwargs_s3: v.withDefault(v.nullable(clientConfig), null),
  s3_additional_kwargs: v.withDefault(v.nullable(v.anyObject()), null),
});
export type DestinationConfig = v.Infer<typeof fullConfig>;

const key = v.required(v.string({ minLength: 1, maxLength: 255 }));
const secret = v.required(v.string({ minLength: 1, maxLength: 2048 }));
const interfaceCredentials = { access_key_id: key, secret_access_key: secret } as const;
export const fullCredentials = v.object("DestinationCredentials", {
  ...interfaceCredentials,
  session_token: v.nullable(v.string({ maxLength: 2048 })),
});
export type DestinationCredentials = v.Infer<typeof fullCredentials>;

const displayName = v.required(v.string({ minLength: 1, pattern: "^[a-zA-Z0-9\\-_ ']+$" }));
const destinationType = v.withDefault(v.enumOf(["s3"]), "s3");

const fullCreateBody = v.object("DestinationCreate", {
  destination_type: destinationType,
  display_name: displayName,
  config: v.required(fullConfig),
  credentials: v.nullable(fullCredentials),
});

/** A role in place of a key (API `2C.Destination.aws_role_arn`). */
const awsRoleArn = v.nullable(v.string({ pattern: "^arn:[^:]+:iam::\\d{12}:role/.+$" }));
const newerCreateBody = v.object("DestinationCreate", { ...fullCreateBody.fields, aws_role_arn: awsRoleArn });
export type DestinationCreate = v.Infer<typeof newerCreateBody>;

/** POST: API `2C.Destination`; only its described fields if only the interface is served. */
export function destinationCreateBody({ interfaceOnly, platform }: Pick<Settings, "interfaceOnly" | "platform">) {
  if (platform === "today") return newerCreateBody;
  if (!interfaceOnly) return fullCreateBody;
  return v.object("DestinationCreate", {
    destination_type: destinationType,
    display_name: v.required(v.string()),
    config: v.required(v.object("DestinationConfig", interfaceConfig)),
    credentials: v.nullable(v.object("DestinationCredentials", interfaceCredentials)),
  });
}

/** PATCH: only the credentials can change, as a whole. */
export const destinationPatchBody = v.object("DestinationUpdate", { credentials: v.required(fullCredentials) });

/** The same where a role may take the place of the credentials (API `2C.Destination:switch`). */
export const newerPatchBody = v.object("DestinationUpdate", {
  credentials: v.nullable(fullCredentials),
  aws_role_arn: awsRoleArn,
});
export type DestinationPatch = v.Infer<typeof newerPatchBody>;

const responseFields = {
  id: v.required(v.uuid()),
  tenant_id: v.required(v.uuid()),
  destination_type: v.required(destinationType),
  display_name: v.required(v.string()),
  config: v.required(fullConfig),
  credentials_keys: v.required(v.list(v.string())),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
} as const satisfies v.Fields;

export const destination = v.object("Destination", responseFields);
export const newerDestination = v.object("Destination", { ...responseFields, aws_role_arn: v.nullable(v.string()) });
/** All that the interface promises of the response to a create (API `4C`). */
export const createdId = v.object("Created", { id: v.required(v.uuid()) });
