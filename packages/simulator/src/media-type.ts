import { essenceOf, isJsonType, parametersOf, selectByParameters } from '@countersign/runtime/base';

/** Returns whether a body with a content type is JSON. A contract that states none has JSON. */
export function isJsonContent(contentType: string): boolean {
  return essenceOf(contentType) === '' || isJsonType(contentType);
}

/** The media type of forms in a body. */
export const formType = 'application/x-www-form-urlencoded';

/** Returns whether a range such as `text/*` contains a media type; both without parameters. */
function includesType(range: string, essence: string): boolean {
  if (range === essence || range === '*/*' || range === '*') return true;
  const [type, subtype = ''] = range.split('/');
  const [ownType, ownSubtype = ''] = essence.split('/');
  if (type !== ownType) return false;
  return subtype === '*' || (subtype.startsWith('*+') && ownSubtype.endsWith(subtype.slice(1)));
}

/** Returns which of the media types of a contract a content type has: the same one, or a range that contains it. */
export function findContent<T extends { readonly mediaType: string }>(
  content: readonly T[],
  contentType: string,
): T | undefined {
  const essence = essenceOf(contentType);
  const alike = content.map(({ mediaType }) => mediaType).filter((it) => essenceOf(it) === essence);
  const same = selectByParameters(alike, contentType);
  return content.find(({ mediaType }) =>
    same === undefined
      ? !alike.includes(mediaType) && includesType(essenceOf(mediaType), essence)
      : mediaType === same,
  );
}

/**
 * Returns the first of the media types with the highest quality in an `Accept` header, or `undefined` where it accepts
 * none of them (RFC 9110, section 12.5.1). A media type of the contract can be a range itself.
 */
export function chooseAccepted<T extends { readonly mediaType: string }>(
  accept: string,
  offered: readonly T[],
): T | undefined {
  const ranges = accept.split(',').map((range) => {
    const [, quality = '1'] = /;\s*q=([\d.]+)/iu.exec(range) ?? [];
    return {
      range: essenceOf(range),
      parameters: [...parametersOf(range)].filter(([name]) => name !== 'charset'),
      quality: Number(quality),
    };
  });
  let best: { readonly offer: T; readonly quality: number } | undefined;
  for (const offer of offered) {
    const essence = essenceOf(offer.mediaType);
    const own = parametersOf(offer.mediaType);
    // The most specific range decides.
    const matching = ranges
      .filter(
        ({ range, parameters }) =>
          (includesType(range, essence) || includesType(essence, range)) &&
          parameters.every(([name, value]) => own.get(name) === value),
      )
      .toSorted(
        (left, right) =>
          wildcards(left.range) - wildcards(right.range) ||
          right.parameters.length - left.parameters.length,
      );
    const { quality = 0 } = matching[0] ?? {};
    if (quality > (best?.quality ?? 0)) best = { offer, quality };
  }
  return best?.offer;
}

function wildcards(range: string): number {
  return range.split('*').length;
}
