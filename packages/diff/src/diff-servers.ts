import { filledUrl, type ServerVariable, usedVariables } from 'countersign/companion/contract';
import type { Server } from 'countersign/kit';
import { type ChangePlace, type ContractChange, type CreateChange, inBoth } from './change.ts';
import { diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { formatChange, formatValue } from './format-value.ts';

/**
 * Yields the changes of servers, their variables, and the default address of clients.
 * @param changesOf creates the changes of a server
 * @param inherited the servers that apply where a list is empty, before and after the change
 */
export function* diffServers(
  base: readonly Server[],
  head: readonly Server[],
  changesOf: (place: ChangePlace) => CreateChange,
  inherited: ItemPair<readonly Server[]> = [[], []],
): Generator<ContractChange> {
  const byUrl = pairBy(base, head, ({ url }) => withoutSlash(url));
  // A part of a URL that became a variable, or the reverse, leaves the default address as it was.
  const byAddress = pairBy(byUrl.removed, byUrl.added, addressOf);
  const { added, removed } = byAddress;
  for (const { url, pointer } of added)
    yield changesOf({ pointer })('server-added', `${formatValue(url)} was added.`);
  for (const { url, pointer } of removed)
    yield changesOf({ pointer, side: 'base' })(
      'server-removed',
      `${formatValue(url)} was removed.`,
    );
  if (base.length + head.length > 0) {
    const [before] = base.length > 0 ? base : inherited[0];
    const [after] = head.length > 0 ? head : inherited[1];
    if (isMoved(before, after) && before !== undefined && !removed.includes(before))
      yield changesOf(after === undefined ? { pointer: before.pointer } : inBoth(before, after))(
        'server-default-changed',
        formatChange('The server', before.url, after?.url),
      );
  }
  for (const [baseServer, headServer] of [...byUrl.pairs, ...byAddress.pairs])
    yield* diffVariables(baseServer, headServer, changesOf(inBoth(baseServer, headServer)));
}

/** Returns whether the first server has another URL, apart from the defaults of its variables. */
function isMoved(base: Server | undefined, head: Server | undefined): boolean {
  if (base === undefined || head === undefined) return base !== head;
  return withoutSlash(base.url) !== withoutSlash(head.url) && addressOf(base) !== addressOf(head);
}

/** Returns the address that calls are sent to by default. */
function addressOf(server: Server): string {
  return withoutSlash(filledUrl(server));
}

/** Returns a URL without final slashes: a path is appended to it with one slash in any case. */
function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

function* diffVariables(
  base: Server,
  head: Server,
  create: CreateChange,
): Generator<ContractChange> {
  const { pairs, added, removed } = pairBy(
    declaredVariables(base),
    declaredVariables(head),
    ({ name }) => name,
  );
  const nameOf = ({ name }: ServerVariable): string =>
    `variable ${formatValue(name)} of ${formatValue(head.url)}`;
  for (const variable of added)
    yield create('server-variable-added', `The ${nameOf(variable)} was added.`);
  for (const { name } of removed)
    yield create(
      'server-variable-removed',
      `The variable ${formatValue(name)} of ${formatValue(base.url)} was removed.`,
    );
  for (const [baseVariable, headVariable] of pairs) {
    const what = `The default of the ${nameOf(headVariable)}`;
    yield* diffValues(create, [
      ['server-default-changed', what, baseVariable.default, headVariable.default],
    ]);
    yield* diffListedValues(baseVariable, headVariable, nameOf(headVariable), create);
  }
}

/** Returns the variables in the URL that the document describes. */
function declaredVariables(server: Server): readonly ServerVariable[] {
  return usedVariables(server).filter(
    (variable) => variable.default !== undefined || variable.enum !== undefined,
  );
}

/** Yields changes of the values that a variable can have. Without a list, it can have every value. */
function* diffListedValues(
  base: ServerVariable,
  head: ServerVariable,
  name: string,
  create: CreateChange,
): Generator<ContractChange> {
  const listed = (values: readonly string[]): string => values.map(formatValue).join(', ');
  if (base.enum === undefined && head.enum === undefined) return;
  if (base.enum === undefined)
    yield create(
      'server-values-restricted',
      `The ${name} can only have the values ${listed(head.enum ?? [])} now.`,
    );
  else if (head.enum === undefined)
    yield create('server-values-extended', `The ${name} can have every value now.`);
  else {
    const { added, removed } = pairBy(base.enum, head.enum, (value) => value);
    if (removed.length > 0)
      yield create(
        'server-values-restricted',
        `The ${name} can no longer have the values ${listed(removed)}.`,
      );
    if (added.length > 0)
      yield create(
        'server-values-extended',
        `The ${name} can have the values ${listed(added)} now.`,
      );
  }
}
