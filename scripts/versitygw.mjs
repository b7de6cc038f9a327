// Installs the S3 server that tests compare with, and prints its path.
import { start } from "./setup/start.mjs";

start(() => import("./setup/versitygw.mjs"));
