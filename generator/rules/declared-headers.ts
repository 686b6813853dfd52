import type { Documents } from '../documents/documents.ts';
import { Cursor } from '../json/cursor.ts';
import { pointerMembers } from '../json/pointer.ts';
import { vocabularyPlaces } from '../documents/declared-vocabulary.ts';
import { expressionsAt } from './expressions.ts';
import { headersOf, isMessage } from './messages.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { unstatedEntries } from '../documents/unstated-entries.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Checks that each header named by an expression of the vocabulary is declared. An expression on a message refers to
 * the headers of that message and of the security schemes. A signed header, or one that has to be absent, can be
 * declared anywhere in the contract. What clients write beside a signature needs no declaration.
 */
export const declaredHeaders: Rule = {
  codes: ['undeclared-header'],
  *check({ documents }) {
    const always = [
      ...carriedAlways,
      ...credentialHeaders(documents),
      ...headersOfSignedCalls(documents),
    ];
    const everywhere = new Set([...always, ...declaredHeadersIn(documents)]);
    const ledger = unstatedEntries(documents);
    for (const place of vocabularyPlaces(documents)) {
      const declaredNames = isMessage(place)
        ? new Set([...always, ...headersOf(place)])
        : everywhere;
      for (const { expression, pointer, role } of expressionsAt(place, ledger)) {
        const name = /^\$request\.header\.(?<name>.+)$/s.exec(expression)?.groups?.['name'];
        if (name === undefined) continue;
        const allowedNames = role === 'absence' ? everywhere : declaredNames;
        if (allowedNames.has(name.toLowerCase())) continue;
        yield {
          pointer,
          message: `The header ${quote(name)} is not declared${allowedNames === declaredNames && declaredNames !== everywhere ? ' for this message' : ''}.`,
        };
      }
    }
  },
};

/**
 * Headers that a contract need not declare: OpenAPI ignores some as parameters, and HTTP itself defines the others
 * (OpenAPI 3.1, 4.8.12.2.1; RFC 9110, 7.2).
 */
const carriedAlways = ['content-type', 'content-length', 'accept', 'host', 'user-agent'] as const;

function declaredHeadersIn(documents: Documents): readonly string[] {
  return placesOf(documents).flatMap((place) => {
    if (place.kind === 'message') return headersOf(place);
    const isHeader = place.kind === 'parameter' && place.text('in') === 'header';
    return isHeader ? (place.text('name')?.toLowerCase() ?? []) : [];
  });
}

function credentialHeaders(documents: Documents): readonly string[] {
  return placesOf(documents, 'security-scheme').flatMap(
    (scheme) => headerOf(scheme)?.toLowerCase() ?? [],
  );
}

/** Returns the headers that clients write beside the signatures of calls: as parameters, callers would have to pass them. */
function headersOfSignedCalls(documents: Documents): readonly string[] {
  const calls = placesOf(documents, 'operation').filter(({ pointer }) =>
    /^openapi#\/paths\/[^/]*\/[^/]*$/u.test(pointer),
  );
  const requirements = [
    ...(documents.openapi?.root === undefined
      ? []
      : Cursor.ofDocument(documents.openapi.root, 'openapi').items('security')),
    ...calls.flatMap((call) => call.items('security')),
  ];
  const names = new Set(requirements.flatMap((each) => each.entries().map(([name]) => name)));
  return placesOf(documents, 'security-scheme')
    .filter(({ pointer }) => names.has(pointerMembers(pointer).at(-1) ?? ''))
    .flatMap((scheme) => [
      scheme.text('x-signature', 'timestamp', 'header'),
      scheme.text('x-signature', 'key', 'idHeader'),
    ])
    .flatMap((name) => name?.toLowerCase() ?? []);
}

/**
 * Returns the header that a security scheme uses. AsyncAPI calls `httpApiKey` what OpenAPI calls `apiKey`. The other
 * HTTP schemes use `Authorization`.
 */
function headerOf(scheme: Place): string | undefined {
  const type = scheme.text('type');
  if (type === 'http' || type === 'oauth2' || type === 'openIdConnect') return 'authorization';
  const isKey = type === 'apiKey' || type === 'httpApiKey';
  return isKey && scheme.text('in') === 'header' ? scheme.text('name') : undefined;
}
