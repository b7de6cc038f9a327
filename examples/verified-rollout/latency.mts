// Fails if the agent takes more than two seconds for a request. `pulumi up` runs it after each rollout.
const { AGENT_URL, AGENT_REVISION_ID } = process.env;

const startedAt = Date.now();
const response = await fetch(`${AGENT_URL}/ok`);
const seconds = (Date.now() - startedAt) / 1000;
console.log(`Revision ${AGENT_REVISION_ID} returned ${response.status} after ${seconds} s.`);
process.exit(response.ok && seconds < 2 ? 0 : 1);
