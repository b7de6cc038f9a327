/** Options of clients of the engine: gRPC sends even what stays on this machine to a proxy that the environment names in lower case. */
export const WITHOUT_PROXY = { "grpc.enable_http_proxy": 0 } as const;
