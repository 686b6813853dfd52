import { filledUrl, type ServerVariable, usedVariables } from 'countersign/companion/contract';
import type { Server } from 'countersign/kit';
import type { ContractChange, CreateChange } from './change.ts';
import { diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { formatChange, formatValue } from './format-value.ts';

/**
 * Yields the changes of servers, their variables, and the default address of clients.
 * @param inherited the servers that apply where a list is empty, before and after the change
 */
export function* diffServers(
  base: readonly Server[],
  head: readonly Server[],
  create: CreateChange,
  inherited: ItemPair<readonly Server[]> = [[], []],
): Generator<ContractChange> {
  const byUrl = pairBy(base, head, ({ url }) => url);
  // A part of a URL that became a variable, or the reverse, leaves the default address as it was.
  const byAddress = pairBy(byUrl.removed, byUrl.added, filledUrl);
  const { added, removed } = byAddress;
  for (const { url } of added) yield create('server-added', `${formatValue(url)} was added.`);
  for (const { url } of removed) yield create('server-removed', `${formatValue(url)} was removed.`);
  if (base.length + head.length > 0) {
    const [before] = base.length > 0 ? base : inherited[0];
    const [after] = head.length > 0 ? head : inherited[1];
    if (isMoved(before, after) && before !== undefined && !removed.includes(before))
      yield create('server-default-changed', formatChange('The server', before.url, after?.url));
  }
  for (const [baseServer, headServer] of [...byUrl.pairs, ...byAddress.pairs])
    yield* diffVariables(baseServer, headServer, create);
}

/** Returns whether the first server has another URL, apart from the defaults of its variables. */
function isMoved(base: Server | undefined, head: Server | undefined): boolean {
  if (base === undefined || head === undefined) return base !== head;
  return base.url !== head.url && filledUrl(base) !== filledUrl(head);
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
