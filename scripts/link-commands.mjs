// Last step of `npm run build`: links the built commands for npx.
import { linkCommands } from "./setup/commands.mjs";

await linkCommands();
