import { BlockList, isIP } from 'node:net';

/**
 * Networks that are not on the internet, or that lead to others: this machine, private and shared networks, link-local
 * (with the metadata services of clouds), multicast, documentation, and tunnels and translations to IPv4.
 */
const networks: readonly (readonly [network: string, prefix: number, type: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  // The metadata service of a cloud.
  ['168.63.129.16', 32, 'ipv4'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];

const blocked = new BlockList();
for (const [network, prefix, type] of networks) blocked.addSubnet(network, prefix, type);

/** Of IPv6, only this network is on the internet. Addresses of IPv4 in IPv6 are compared with the networks of IPv4. */
const internet = new BlockList();
internet.addSubnet('2000::', 3, 'ipv6');

/** Returns whether an IP address is not one of the internet. Any other text counts as private. */
export function isPrivateAddress(address: string): boolean {
  const [ip = ''] = address.split('%');
  const family = isIP(ip);
  if (family !== 6) return family === 0 || blocked.check(ip, 'ipv4');
  const [, high, low] =
    /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/u.exec(new URL(`http://[${ip}]`).hostname) ?? [];
  if (high === undefined || low === undefined)
    return !internet.check(ip, 'ipv6') || blocked.check(ip, 'ipv6');
  const parts = [high, low].flatMap((part) => {
    const number = Number.parseInt(part, 16);
    return [Math.trunc(number / 256), number % 256];
  });
  return blocked.check(parts.join('.'), 'ipv4');
}
