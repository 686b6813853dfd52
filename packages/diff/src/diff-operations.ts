import type { Pointer } from 'countersign';
import { type Repetition, repetitionOf } from 'countersign/companion/contract';
import { toCanonical } from 'countersign/companion/values';
import type { Content, Operation, Response, SecurityRequirement } from 'countersign/kit';
import { changesAt, type ContractChange, type ContractPair, type CreateChange } from './change.ts';
import { diffItems, diffValues, pairBy } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { diffParameters } from './diff-parameters.ts';
import { diffBodies } from './diff-schemas.ts';
import { diffServers } from './diff-servers.ts';
import { formatValue } from './format-value.ts';

const request = ['request'] as const;
const response = ['response'] as const;

/** Yields the changes of operations and of the service's servers. */
export function* diffOperations(contracts: ContractPair): Generator<ContractChange> {
  const { base, head } = contracts;
  const create = changesAt(head.info.pointer, 'the service', request);
  yield* diffServers(base.info.servers, head.info.servers, create);
  const byId = pairBy(base.operations, head.operations, ({ id }) => id);
  // An operation with another `operationId` but the same method and path is renamed.
  const renamed = yield* diffItems(byId.removed, byId.added, {
    keyOf: ({ method, path }) => `${method} ${path}`,
    subjectOf,
    rolesOf: () => request,
    codes: ['operation-added', 'operation-removed'],
  });
  for (const [baseOperation, headOperation] of [...byId.pairs, ...renamed])
    yield* diffOperation(baseOperation, headOperation, contracts);
}

function* diffOperation(
  base: Operation,
  head: Operation,
  contracts: ContractPair,
): Generator<ContractChange> {
  const subject = subjectOf(head);
  const create = changesAt(head.pointer, subject, request);
  yield* diffValues(create, [
    ['operation-renamed', 'The operationId', base.id, head.id],
    ['method-changed', 'The method', base.method, head.method],
    ['path-changed', 'The path', base.path, head.path],
  ]);
  yield* diffNotes(base, head, create);
  yield* diffParameters(base.parameters, head.parameters, 'parameter', subject, contracts);
  yield* diffRequestBody(base, head, contracts);
  yield* diffResponses(base.responses, head.responses, subject, contracts);
  yield* diffSecurity(base.security, head.security, create);
  yield* diffRepetition(contracts, base, head, create);
  yield* diffServers(base.servers, head.servers, create, [
    contracts.base.info.servers,
    contracts.head.info.servers,
  ]);
}

/**
 * Yields changes of whether a call may be repeated. If an idempotent method decides it on either side, the change is
 * already reported as one of the method.
 */
function* diffRepetition(
  contracts: ContractPair,
  base: Operation,
  head: Operation,
  create: CreateChange,
): Generator<ContractChange> {
  const before = repetitionOf(contracts.base, base);
  const after = repetitionOf(contracts.head, head);
  if (before.because === 'kept' && after.because === 'kept' && before.keeps !== after.keeps)
    yield create(
      'repetition-withdrawn',
      `Repeating it was safe with the same value of ${formatValue(before.keeps)}. Now it is with that of ${formatValue(after.keeps)}.`,
    );
  const was = repetitions[before.because];
  const is = repetitions[after.because];
  if (was === undefined || is === undefined || was.certainty === is.certainty) return;
  const code = is.certainty > was.certainty ? 'repetition-allowed' : 'repetition-withdrawn';
  yield create(code, `Repeating it ${was.words}. Now it ${is.words}.`);
}

const repetitions: Readonly<
  Record<Repetition['because'], { readonly certainty: number; readonly words: string } | undefined>
> = {
  never: { certainty: 0, words: 'is not stated to be safe' },
  unstated: { certainty: 1, words: 'depends on an answer of the ledger' },
  kept: { certainty: 2, words: 'is stated to be safe with the same value of a parameter' },
  stated: { certainty: 3, words: 'is stated to be safe' },
  token: { certainty: 3, words: 'is stated to be safe' },
  idempotent: undefined,
};

function* diffRequestBody(
  { requestBody: base }: Operation,
  operation: Operation,
  contracts: ContractPair,
): Generator<ContractChange> {
  const { requestBody: head, pointer } = operation;
  const subject = `${subjectOf(operation)}, request body`;
  const create = changesAt(pointer, subject, request);
  if (head === undefined) {
    if (base !== undefined) yield create('request-body-removed', 'It was removed.');
  } else if (head.required && base?.required !== true)
    yield create('request-body-required', 'It is required now.');
  else if (base === undefined) yield create('request-body-added', 'It was added.');
  else if (base.required && !head.required)
    yield create('request-body-optional', 'It is optional now.');
  if (base !== undefined && head !== undefined)
    yield* diffContents(base.content, head.content, pointer, subject, 'request', contracts);
}

function* diffResponses(
  base: readonly Response[],
  head: readonly Response[],
  owner: string,
  contracts: ContractPair,
): Generator<ContractChange> {
  const responseSubject = ({ status }: Response): string => `${owner}, response ${status}`;
  const pairs = yield* diffItems(base, head, {
    keyOf: ({ status }) => status,
    subjectOf: responseSubject,
    rolesOf: () => response,
    codes: ['response-added', 'response-removed'],
  });
  for (const [baseResponse, headResponse] of pairs) {
    const subject = responseSubject(headResponse);
    yield* diffNotes(
      baseResponse,
      headResponse,
      changesAt(headResponse.pointer, subject, response),
    );
    yield* diffParameters(
      baseResponse.headers,
      headResponse.headers,
      'response-header',
      subject,
      contracts,
    );
    const contents = [baseResponse.content, headResponse.content] as const;
    yield* diffContents(...contents, headResponse.pointer, subject, 'response', contracts);
  }
}

function* diffContents(
  base: readonly Content[],
  head: readonly Content[],
  pointer: Pointer,
  subject: string,
  role: 'request' | 'response',
  contracts: ContractPair,
): Generator<ContractChange> {
  const create = changesAt(pointer, subject, [role]);
  const { pairs, added, removed } = pairBy(base, head, ({ mediaType }) => mediaType);
  for (const { mediaType } of added)
    yield create(`${role}-media-type-added`, `${formatValue(mediaType)} was added.`);
  for (const { mediaType } of removed)
    yield create(`${role}-media-type-removed`, `${formatValue(mediaType)} was removed.`);
  const at = { pointer };
  for (const [before, after] of pairs) {
    if (role === 'request')
      yield* diffValues(create, [
        ['request-encoding-changed', '`encoding`', before.encoding, after.encoding],
      ]);
    for (const member of ['schema', 'itemSchema'] as const)
      yield* diffBodies(at, at, before[member], after[member], contracts, subject, [role]);
  }
}

/**
 * Yields the changes of security requirements, which are alternatives: a new one relaxes security, a removed one
 * tightens it. A call that needs no authorization before and after the change has no changes.
 */
function* diffSecurity(
  base: readonly SecurityRequirement[],
  head: readonly SecurityRequirement[],
  create: CreateChange,
): Generator<ContractChange> {
  const isOpen = (list: readonly SecurityRequirement[]): boolean =>
    list.length === 0 || list.some((requirement) => requirement.length === 0);
  if (isOpen(base) || isOpen(head)) {
    if (!isOpen(head)) yield create('security-tightened', 'It requires authorization now.');
    if (!isOpen(base)) yield create('security-relaxed', 'It no longer requires authorization.');
    return;
  }
  const { added, removed } = pairBy(base, head, (requirement) => toCanonical(requirement));
  for (const requirement of removed)
    yield create('security-tightened', `${namesOf(requirement)} is no longer sufficient.`);
  for (const requirement of added)
    yield create('security-relaxed', `${namesOf(requirement)} is sufficient now.`);
}

function namesOf(requirement: SecurityRequirement): string {
  return requirement.map(({ scheme }) => formatValue(scheme)).join(' with ');
}

function subjectOf({ id, method, path }: Operation): string {
  return `operation ${id} (${method} ${path})`;
}
