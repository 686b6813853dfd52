import { invalid } from './webhook-error.ts';

/**
 * Refuses addresses of proxies: no adapter of this platform provides the address of who has connected.
 * @throws WebhookError `invalid-option`
 */
export function createProxyTest(_proxies: readonly string[]): (address: string) => boolean {
  throw invalid('this platform does not provide the address of a proxy, which `proxies` names');
}
