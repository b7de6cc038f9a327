// Prints an error of the user, such as a mistake in fleet.yaml, without a stack trace.
import { RunError } from "@pulumi/pulumi";

process.on("uncaughtException", (error) => {
  console.error(RunError.isInstance(error) ? error.message : error);
  process.exit(1);
});
