import { startForeignBucket } from "../../../../emulator/test/support/bucket/foreign-bucket";
import { describeBackups } from "../support/backups-in-bucket";

describeBackups("another store", async () => {
  const foreign = await startForeignBucket();
  foreign.createBucket("exports");
  return foreign;
});
