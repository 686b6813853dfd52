import type { HeaderLookup } from './request.ts';

/** Maximum length of a list of codings. A longer one names more than `identity`. */
const maxCodings = 100;

/** Returns whether a body has a content encoding, such as gzip. It is not decoded: a small body can become a huge one. */
export function isEncoded(headers: HeaderLookup): boolean {
  return headers('content-encoding').some(
    (value) =>
      value.length > maxCodings ||
      value
        .split(',')
        .map((coding) => coding.trim().toLowerCase())
        .some((coding) => coding !== '' && coding !== 'identity'),
  );
}
