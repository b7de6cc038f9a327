const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a URL names this machine itself. */
export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname);
