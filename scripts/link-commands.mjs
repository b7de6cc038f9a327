// The end of `npm run build`: links the commands that were built, for npx.
import { linkCommands } from "./setup/commands.mjs";

await linkCommands();
