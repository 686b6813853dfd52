import { bodyPath, membersOfForms, paginationForms } from '../contract/pagination.ts';
import { quote } from '../diagnostics/quote.ts';
import { vocabularyDocuments } from '../documents/declared-vocabulary.ts';
import { placesOf } from '../documents/places.ts';
import { isJsonObject } from '../json/json.ts';
import type { Cursor } from '../json/cursor.ts';
import { pointerDocument, pointerMembers } from '../json/pointer.ts';
import type { Place } from '../specification/walk.ts';
import { contentSchemas } from './messages.ts';
import type { Finding, Rule } from './rule.ts';
import { allLack, schemasAt } from './schema-members.ts';

/**
 * Checks `x-pagination`: it has one form with its members, the request has what carries the cursor, the response has the
 * list and what the statement reads, and it is safe to request a page.
 */
export const pagination: Rule = {
  codes: ['undeclared-name', 'invalid-extension'],
  *check({ documents }) {
    const declared = vocabularyDocuments(documents);
    for (const operation of placesOf(documents, 'operation')) {
      const at = operation.child('x-pagination');
      // In a document that does not declare the vocabulary, the key can be one of another tool.
      const isOwn = declared.includes(pointerDocument(operation.pointer));
      if (!isJsonObject(at.value) || (!isOwn && bodyPath(at.text('items') ?? '') === undefined))
        continue;
      const fault = faultOfForm(at);
      if (fault !== undefined) yield { code: 'invalid-extension', ...fault };
      else yield* findingsAt(operation, at);
    }
  },
};

/** Returns what is wrong with the members of a statement; `undefined` if they are those of one form. */
function faultOfForm(at: Cursor): Finding | undefined {
  const forms = paginationForms.filter((form) => at.valueIn(form) !== undefined);
  const [form] = forms;
  const list = paginationForms.map(quote).join(', ');
  if (form === undefined || forms.length > 1)
    return {
      pointer: at.pointer,
      message: `"x-pagination" has ${form === undefined ? 'none' : 'more than one'} of ${list}.`,
      help: 'Keep the one that requests the next page.',
    };
  for (const [other, members] of Object.entries(membersOfForms)) {
    const extra =
      other === form ? undefined : members.find((name) => at.valueIn(name) !== undefined);
    if (extra !== undefined)
      return {
        pointer: at.child(extra).pointer,
        message: `"x-pagination" has ${quote(extra)}, which only goes with ${quote(other)}.`,
        help: `Remove ${quote(extra)}.`,
      };
  }
  const sources = membersOfForms.cursor.filter((name) => at.valueIn(name) !== undefined);
  if (form !== 'cursor' || sources.length === 1) return undefined;
  return {
    pointer: at.pointer,
    message: `"x-pagination" has ${sources.length === 0 ? 'neither' : 'both'} "nextCursor" ${sources.length === 0 ? 'nor' : 'and'} "lastItem" beside "cursor".`,
    help: 'Declare where the cursor of the next page is: in the response (`nextCursor`), or in its last item (`lastItem`).',
  };
}

function* findingsAt(operation: Place, at: Cursor): Iterable<Finding> {
  if (!isSafe(operation))
    yield {
      code: 'invalid-extension',
      pointer: at.pointer,
      message: `"x-pagination" is on a call that may not be repeated: a client requests a page again if its outcome is unknown, and ${operation.member.toUpperCase()} can change something.`,
      help: 'Add `x-repeatable: true` if the call changes nothing. Otherwise, remove `x-pagination`.',
    };
  for (const form of ['cursor', 'page', 'offset'] as const) {
    const place = at.child(form);
    const expression = place.text();
    if (expression === undefined || canCarry(operation, expression)) continue;
    yield {
      code: 'undeclared-name',
      pointer: place.pointer,
      message: `The request has no ${quote(expression)}, in which the number or cursor of the page would be sent.`,
      help: 'Declare the parameter, or correct the expression.',
    };
  }
  const bodies = successSchemas(operation);
  for (const name of responseMembers) {
    const place = at.child(name);
    const path = bodyPath(place.text() ?? '');
    if (path === undefined || !allLack(bodies, path)) continue;
    yield {
      code: 'undeclared-name',
      pointer: place.pointer,
      message: `No schema of a successful response has ${quote(place.text() ?? '')}.`,
      help: 'Declare the member, or correct the expression.',
    };
  }
  yield* findingsOfItems(at, bodies);
}

const responseMembers = [
  'items',
  'nextCursor',
  'nextLink',
  'hasMore',
  'totalPages',
  'totalItems',
] as const;

function* findingsOfItems(at: Cursor, bodies: readonly Cursor[]): Iterable<Finding> {
  const place = at.child('items');
  const lists = schemasAt(bodies, bodyPath(place.text() ?? '') ?? []);
  const types = lists.flatMap((schema) => schema.text('type') ?? schema.texts('type'));
  if (types.length > 0 && !types.includes('array'))
    yield {
      code: 'invalid-extension',
      pointer: place.pointer,
      message: `${quote(place.text() ?? '')} is not a list in the schema of the response.`,
      help: 'Name the list with the items of the page.',
    };
  const lastItem = at.child('lastItem');
  const items = lists.map((list) => list.child('items')).filter(({ value }) => value !== undefined);
  if (lastItem.text() !== undefined && allLack(items, pointerMembers(lastItem.text() ?? '')))
    yield {
      code: 'undeclared-name',
      pointer: lastItem.pointer,
      message: `The items of the list have no member ${quote(lastItem.text() ?? '')}.`,
      help: 'Declare the member, or correct the pointer.',
    };
}

/** Returns whether a page may be requested again: by a method that reads, or because the contract states it. */
function isSafe(operation: Place): boolean {
  const repeatable = operation.valueIn('x-repeatable');
  return (
    operation.member === 'get' ||
    repeatable === true ||
    (isJsonObject(repeatable) && 'keeps' in repeatable)
  );
}

function canCarry(operation: Place, expression: string): boolean {
  const [, place, name = ''] =
    /^\$request\.(header|query|path|body#)\.?(.+)$/su.exec(expression) ?? [];
  if (place === 'body#') {
    const body = operation.child('requestBody').follow();
    return body.value !== undefined && !allLack(contentSchemas(body), pointerMembers(name));
  }
  const holders = [operation, ...(operation.parent === undefined ? [] : [operation.parent])];
  return holders
    .flatMap((holder) => holder.items('parameters').map((parameter) => parameter.follow()))
    .some((parameter) => {
      const stated = parameter.text('name') ?? '';
      const isNamed =
        stated === name || (place === 'header' && stated.toLowerCase() === name.toLowerCase());
      return parameter.text('in') === place && isNamed;
    });
}

/** Returns the schemas of the bodies that a call returns. */
function successSchemas(operation: Place): readonly Cursor[] {
  return operation
    .entries('responses')
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => contentSchemas(response.follow()));
}
