const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a URL points to this machine. */
export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname);
