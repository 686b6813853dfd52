import { BlockList, isIP } from 'node:net';
import { invalid, missing } from './webhook-error.ts';

/**
 * Creates a test of whether an address is one of those of the proxies.
 * @param proxies addresses and ranges such as `10.0.0.0/8`, of IPv4 and IPv6
 * @throws WebhookError `invalid-option` for an empty list, and for a text that is neither an address nor a range
 */
export function createProxyTest(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  if (proxies.length === 0) throw invalid('`proxies` names no address');
  for (const proxy of proxies) {
    if (!proxy) throw missing('an address in `proxies`');
    if (typeof proxy !== 'string') throw noAddresses();
    const [address = '', prefix, ...rest] = proxy.split('/');
    const version = isIP(address);
    const bits = prefix === undefined || /^\d{1,3}$/u.test(prefix) ? Number(prefix ?? 0) : -1;
    if (version === 0 || rest.length > 0 || bits < 0 || bits > (version === 4 ? 32 : 128))
      throw noAddresses();
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function noAddresses(): Error {
  return invalid('`proxies` must have addresses such as 10.0.0.7, and ranges such as 10.0.0.0/8');
}
