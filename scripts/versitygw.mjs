// Brings the S3 server that tests compare with, and prints where it is.
import { start } from "./setup/start.mjs";

start(() => import("./setup/versitygw.mjs"));
