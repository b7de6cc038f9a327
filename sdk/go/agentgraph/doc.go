// Pulumi resources for agent deployments, trace bulk exports and conversation threads
package agentgraph
