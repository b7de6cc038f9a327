// Pulumi resources for agent deployments, assistants, crons, conversation threads and trace bulk exports
package agentgraph
