import { startEmulator } from "../../../../emulator/src";
import { describeBackups } from "../support/backups-in-bucket";

describeBackups("the emulator", async () => {
  const emulator = await startEmulator({ speed: "instant" });
  return { ...emulator.bucket, stop: () => emulator.stop() };
});
