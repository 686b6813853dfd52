/**
 * What senders call where a proxy or a gateway changes the URL: what is before the path that arrives at the
 * application, such as `https://example.com/api` where a proxy removes `/api`. With two members, `called` replaces the
 * beginning `received` of that path, such as `/stage` of an API gateway.
 */
export type PublicUrl =
  | string
  | {
      /** The beginning of the path that arrives, not decoded. */
      readonly received: string;
      /** What senders call instead: an origin, an origin and a path, or only a path where the host is not signed. */
      readonly called: string;
    };

/** Converts received URLs to those that senders call. */
export interface UrlMapping {
  /** Whether the result is an absolute URL. */
  readonly hasHost: boolean;
  /** Whether the result has another path. */
  readonly changesPath: boolean;
  /** Converts a path and query as received, or an absolute URL. Another path than `received` stays as it is. */
  readonly map: (url: string) => string;
}

/** Creates a mapping. Returns `undefined` for a value that is neither an origin, a path nor both. */
export function createUrlMapping(publicUrl: PublicUrl): UrlMapping | undefined {
  const { received, called } =
    typeof publicUrl === 'string' ? { received: '', called: publicUrl } : publicUrl;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  const [, origin = '', to] =
    /^(https?:\/\/[!"$-.0->A-~]+)?((?:\/[!"$->@-~]*)?)$/iu.exec(called ?? '') ?? [];
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (to === undefined || origin + to === '' || !/^(?:\/[!"$->@-~]*)?$/u.test(received ?? '?'))
    return undefined;
  const from = withoutSlash(received);
  const prefix = origin + withoutSlash(to);
  return {
    hasHost: origin !== '',
    changesPath: from !== withoutSlash(to),
    map(url) {
      const target = url.replace(/^https?:\/\/[^/?]+/iu, '');
      const rest = target.startsWith(from) ? target.slice(from.length) : target;
      if (from !== '' && rest !== '' && !/^[/?]/u.test(rest)) return origin + target;
      if (from !== '' && rest === target) return origin + target;
      // The path of a URL is never empty.
      return rest.startsWith('/') || prefix !== origin ? prefix + rest : `${prefix}/${rest}`;
    },
  };
}

/**
 * Creates the mapping for a signature. Returns a text that continues the name of the option where its value is not
 * valid, lacks the signed host, or has no effect on what is signed.
 * @param over the signed parts, such as `$url.path`
 */
export function createSignedUrlMapping(
  publicUrl: PublicUrl,
  over: readonly unknown[],
): UrlMapping | string {
  const mapping = createUrlMapping(publicUrl);
  if (mapping === undefined)
    return 'must be an address or a path without query, such as https://example.com/api, or `{ received, called }`';
  if (over.includes('$url') || over.includes('$url.host+path'))
    return mapping.hasHost
      ? mapping
      : 'must begin with https:// or http://, because the signature covers the host';
  if (!(over.includes('$url.path') || over.includes('$url.path+query')))
    return 'has no effect, because the signature covers no part of the URL';
  if (!mapping.changesPath) return 'has no effect, because it does not change the signed path';
  return mapping;
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
