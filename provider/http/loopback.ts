/** Also the unspecified addresses, which connect to this machine, and IPv6 forms of 127.0.0.0/8. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]+|0:0)\])$/;

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);
