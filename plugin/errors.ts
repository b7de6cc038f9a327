/** Errors as the engine expects them. */
import * as grpc from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import type { InitError } from "../provider/plan/property-values";
import { UserError } from "../provider/text/user-error";
import { type SecretPath, toStateStruct } from "./values";

/** What to do about a name that the provider does not know. */
export const OTHER_VERSION =
  "Install the plugin in the version of the SDK, which `agentgraph doctor` shows, or correct the name.";

/** A request for something that this provider does not have, such as a resource of an unknown type. */
export class InvalidRequestError extends UserError {
  override name = "InvalidRequestError";
}

/** A resource that exists but is not ready, with the paths of its secrets, which state keeps secret. */
export class PartialFailure extends Error {
  constructor(
    override readonly cause: InitError,
    readonly secretPaths: readonly SecretPath[],
  ) {
    super(cause.message);
  }
}

export function toServiceError(thrown: unknown): Partial<grpc.StatusObject> {
  // gRPC cannot send a text that is not valid Unicode, such as one that was truncated inside a character.
  const details = (thrown instanceof Error ? thrown.message : String(thrown)).toWellFormed();
  const code = thrown instanceof InvalidRequestError ? grpc.status.INVALID_ARGUMENT : grpc.status.UNKNOWN;
  const metadata = new grpc.Metadata();
  if (thrown instanceof PartialFailure) metadata.add("grpc-status-details-bin", partialState(thrown));
  return { code, details, metadata };
}

/** Returns the ID, the state and the reason, with which the engine keeps the resource. */
function partialState({ cause, secretPaths }: PartialFailure): Buffer {
  const failure = new ErrorResourceInitFailed();
  failure.setId(cause.id);
  failure.setProperties(toStateStruct(cause.outputs, secretPaths));
  failure.setReasonsList(cause.reasons.map((reason) => reason.toWellFormed()));
  const detail = new Any();
  detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(grpc.status.UNKNOWN);
  status.setMessage(cause.message.toWellFormed());
  status.addDetails(detail);
  return Buffer.from(status.serializeBinary());
}
