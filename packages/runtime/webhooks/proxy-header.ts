import { builtinModule } from '../base/platform.ts';
import type { CertificateSource } from './certificate-source.ts';
import {
  readBase64,
  readPem,
  type CertificateFailure,
  type ClientCertificate,
} from './certificate.ts';
import { malformed } from './der.ts';
import { assertHeaderName } from './header-name.ts';
import type { DeliveredRequest } from './request.ts';
import { invalid, missing } from './webhook-error.ts';

/** How a proxy writes a certificate in a header. */
export type CertificateFormat =
  /** DER in Base64 between colons, as RFC 9440 has it for `Client-Cert`. */
  | 'rfc-9440'
  /** Elements with `Cert="…"`, as Envoy writes `X-Forwarded-Client-Cert`. Its setting `cert` must be `true`. */
  | 'xfcc'
  /** PEM with percent encoding, such as `$ssl_client_escaped_cert` of nginx. */
  | 'escaped-pem';

/** The options of `proxyHeader`. */
export interface ProxyHeaderOptions {
  /**
   * The name of the header, in any case: `Client-Cert` (RFC 9440), `X-Forwarded-Client-Cert` (Envoy),
   * `X-Amzn-Mtls-Clientcert-Leaf` (an AWS load balancer that verifies), or another one with `format`.
   */
  readonly header: string;
  /** Required for a header without a known format. */
  readonly format?: CertificateFormat;
  /**
   * States that the proxy verifies the certificate, and removes this header from every request of a client before it adds
   * its own. Otherwise, any client can write any certificate into the header.
   */
  readonly trust: 'proxy-replaces-header';
  /**
   * The addresses of the proxies, and ranges such as `10.0.0.0/8`: requests from other addresses are refused. An adapter
   * of Node knows the address; for others, and for a socket without an address, `only-proxies-can-connect` states that the
   * network lets no other host connect.
   */
  readonly proxies: readonly string[] | 'only-proxies-can-connect';
  /**
   * Which element of `X-Forwarded-Client-Cert` counts. `only` refuses a header with several. `first` is that of the client
   * of the first proxy, and requires that this proxy replaces the header; `last` is that of the client of the last proxy.
   * Default: `only`.
   */
  readonly element?: 'only' | 'first' | 'last';
}

/**
 * Takes the certificate from a header that a proxy adds. The header is read only with the statement `trust`, and only from
 * `proxies`.
 * @throws WebhookError `invalid-option` without the statement, for a header that no proxy verifies or of unknown format,
 * and for `proxies` that are not addresses
 * @see https://www.rfc-editor.org/rfc/rfc9440
 * @see https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_conn_man/headers#x-forwarded-client-cert
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/mutual-authentication.html
 */
export function proxyHeader(options: ProxyHeaderOptions): CertificateSource {
  const { header, trust, proxies, element = 'only' } = options;
  const name = typeof header === 'string' ? header.toLowerCase() : '';
  if (name === '') throw missing('`header`');
  assertHeaderName(name, '`header`');
  if (name === 'x-amzn-mtls-clientcert')
    throw invalid(
      'a load balancer that adds X-Amzn-Mtls-Clientcert has verified nothing; let it verify, and name X-Amzn-Mtls-Clientcert-Leaf',
    );
  const format = options.format ?? formats.get(name);
  const parse = format === undefined ? undefined : parsers[format];
  if (parse === undefined)
    throw invalid('`format` must be the format of the header: rfc-9440, xfcc or escaped-pem');
  if (trust !== 'proxy-replaces-header')
    throw invalid(
      '`trust` must be proxy-replaces-header, which states that the proxy removes this header from the requests of clients',
    );
  if (!['only', 'first', 'last'].includes(element))
    throw invalid('`element` must be only, first or last');
  if (element !== 'only' && format !== 'xfcc')
    throw invalid('`element` has no effect, because this format has one certificate');
  const isProxy =
    proxies === 'only-proxies-can-connect' ? undefined : createProxyTest([proxies].flat());
  return {
    name: 'proxyHeader() with addresses in `proxies`',
    adapters: isProxy === undefined ? undefined : ['node', 'hono'],
    hasAltNames: true,
    read: (request) => {
      if (isProxy !== undefined && !isProxy(addressOf(request))) return 'not-from-proxy';
      const values = request.headers(name);
      const [value] = values;
      if (value === undefined) return 'no-certificate';
      return values.length > 1 ? 'repeated-certificate' : parse(value.trim(), element);
    },
  };
}

/**
 * Creates a test of whether an address is one of those of the proxies.
 * @param proxies addresses and ranges such as `10.0.0.0/8`, of IPv4 and IPv6
 * @throws WebhookError `invalid-option` for an empty list, for a text that is neither an address nor a range, and on a
 * platform without `node:net`, none of whose adapters provides the address of who has connected
 */
function createProxyTest(proxies: readonly string[]): (address: string) => boolean {
  const node = builtinModule('node:net');
  if (node === undefined)
    throw invalid('this platform does not provide the address of a proxy, which `proxies` names');
  const { BlockList, isIP } = node;
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

/** Returns the address of who has connected; empty for a socket without an address. */
function addressOf({ connection }: DeliveredRequest): string {
  if (typeof connection !== 'object' || connection === null)
    throw invalid('the adapter provides no connection, whose address `proxies` names');
  const { remoteAddress }: { readonly remoteAddress?: unknown } = connection;
  return typeof remoteAddress === 'string' ? remoteAddress : '';
}

const formats: ReadonlyMap<string, CertificateFormat> = new Map([
  ['client-cert', 'rfc-9440'],
  ['x-forwarded-client-cert', 'xfcc'],
  ['x-amzn-mtls-clientcert-leaf', 'escaped-pem'],
]);

type Element = NonNullable<ProxyHeaderOptions['element']>;

const parsers: Readonly<
  Record<
    CertificateFormat,
    (value: string, element: Element) => ClientCertificate | CertificateFailure
  >
> = {
  'rfc-9440': (value) => {
    const [, base64] = /^:([A-Za-z\d+/]+={0,2}):$/u.exec(value) ?? [];
    if (base64 === undefined) throw malformed();
    return readBase64(base64);
  },
  xfcc: (value, element) => {
    const elements = parseElements(value);
    if (element === 'only' && elements.length > 1) return 'repeated-certificate';
    const members = elements.at(element === 'first' ? 0 : -1) ?? [];
    const certificates = members.filter(([key]) => key === 'cert');
    const [certificate] = certificates;
    if (certificate === undefined) return 'no-certificate';
    return certificates.length > 1 ? 'repeated-certificate' : readEscapedPem(certificate[1]);
  },
  'escaped-pem': readEscapedPem,
};

function readEscapedPem(value: string): ClientCertificate {
  let pem: string;
  try {
    pem = decodeURIComponent(value);
  } catch {
    throw malformed();
  }
  return readPem(pem);
}

/** Parses elements such as `By=a;Cert="b",By=c`. A value in quotes can have each separator. */
function parseElements(value: string): readonly (readonly (readonly [string, string])[])[] {
  const elements: (readonly [string, string])[][] = [[]];
  const member = /\s*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;=]*))([,;]|$)/uy;
  for (let isLast = false; !isLast;) {
    const [, key, quoted, plain = '', separator] = member.exec(value) ?? [];
    if (key === undefined) throw malformed();
    const text = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/gu, '$1');
    elements.at(-1)?.push([key.toLowerCase(), text]);
    if (separator === ',') elements.push([]);
    isLast = separator === '';
  }
  return elements;
}
