// The command of a check: asks the agent whether its own tests pass.
const headers = { "x-api-key": process.env.AGENTGRAPH_API_KEY };
const response = await fetch(`${process.env.AGENT_URL}/self-test`, { headers });
console.log(await response.text());
if (!response.ok || process.env.AGENT_REVISION_ID === undefined) process.exitCode = 1;
