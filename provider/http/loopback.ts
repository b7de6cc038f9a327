/** Also the unspecified addresses, which connect to this machine, and IPv6 forms of 127.0.0.0/8. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]+|0:0)\])$/;

/** Whether a URL points to this machine. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);
