import type {
  Content,
  Operation,
  Response,
  SecurityRequirement,
  Server,
} from '../../contract/contract.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { type Repetition, repetitionOf } from '../../contract/lower/repetition.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { ContractChange, Role } from './change.ts';
import { type ContractPair, createChange, pairBy } from './changes.ts';
import { callParameters, diffNotes, diffParameters, responseHeaders } from './diff-parameters.ts';
import { type SchemaIndexes, diffDefinitions, indexBoth } from './diff-schemas.ts';
import { isSameJson, toCanonical } from '../../json/same-json.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';
import { written } from './written.ts';

const request: ReadonlySet<Role> = new Set(['request']);
const response: ReadonlySet<Role> = new Set(['response']);

/** Yields the changes of operations and of the service's servers. */
export function* diffOperations(contracts: ContractPair): Generator<ContractChange> {
  const { base, head } = contracts;
  const indexes = indexBoth(contracts);
  yield* diffServers(base.info.servers, head.info.servers, 'the service', head.info.pointer);
  const byId = pairBy(base.operations, head.operations, ({ id }) => id);
  // An operation with another `operationId` but the same method and path is renamed.
  const byPath = pairBy(byId.removed, byId.added, ({ method, path }) => `${method} ${path}`);
  for (const operation of byPath.added) {
    const at = { side: 'head', pointer: operation.pointer } as const;
    yield createChange('operation-added', at, subjectOf(operation), 'It is new.', request);
  }
  for (const operation of byPath.removed) {
    const at = { side: 'base', pointer: operation.pointer } as const;
    yield createChange('operation-removed', at, subjectOf(operation), 'It is gone.', request);
  }
  for (const [one, other] of byPath.pairs) {
    const at = { side: 'head', pointer: other.pointer } as const;
    const message = `It was called ${written(one.id)}.`;
    yield createChange('operation-renamed', at, subjectOf(other), message, request);
  }
  for (const [one, other] of [...byId.pairs, ...byPath.pairs])
    yield* diffOperation(one, other, contracts, indexes);
}

function* diffOperation(
  base: Operation,
  head: Operation,
  contracts: ContractPair,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const subject = subjectOf(head);
  const at = { side: 'head', pointer: head.pointer } as const;
  const say = (code: ChangeCode, message: string): ContractChange =>
    createChange(code, at, subject, message, request);
  if (base.method !== head.method)
    yield say('method-changed', `It was ${base.method} and is ${head.method}.`);
  if (base.path !== head.path)
    yield say('path-changed', `It was at ${written(base.path)} and is at ${written(head.path)}.`);
  yield* diffNotes(base, head, subject, request);
  yield* diffParameters(base.parameters, head.parameters, callParameters, subject, indexes);
  yield* diffBody(base, head, indexes);
  yield* diffResponses(base.responses, head.responses, subject, indexes);
  yield* diffSecurity(base.security, head.security, say);
  yield* diffRepetition(contracts, base, head, say);
  if (
    !isSameJson(
      base.servers.map(({ url }) => url),
      head.servers.map(({ url }) => url),
    )
  )
    yield* diffServers(base.servers, head.servers, subject, head.pointer);
}

/**
 * Yields changes of whether a call may be repeated. If an idempotent method decides it on either side, the change is
 * already reported as one of the method.
 */
function* diffRepetition(
  contracts: ContractPair,
  base: Operation,
  head: Operation,
  say: (code: ChangeCode, message: string) => ContractChange,
): Generator<ContractChange> {
  const was = repetitionOf(contracts.base, base).because;
  const is = repetitionOf(contracts.head, head).because;
  const change = certainty[is] - certainty[was];
  if (change === 0 || was === 'idempotent' || is === 'idempotent') return;
  const message = `It ${repetitionWords[was]}, and now ${repetitionWords[is]}.`;
  yield change > 0 ? say('repetition-allowed', message) : say('repetition-withdrawn', message);
}

const certainty: Readonly<Record<Repetition['because'], number>> = {
  never: 0,
  unstated: 1,
  stated: 2,
  token: 2,
  idempotent: 2,
};

const repetitionWords: Readonly<Record<Repetition['because'], string>> = {
  never: 'is not stated to be repeatable',
  unstated: 'waits for an answer of the ledger',
  stated: 'is repeatable',
  token: 'is repeatable',
  idempotent: 'is idempotent',
};

function* diffBody(
  base: Operation,
  head: Operation,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const subject = `${subjectOf(head)}, request body`;
  const [was, is] = [base.requestBody, head.requestBody];
  const say = (code: ChangeCode, message: string): ContractChange =>
    createChange(code, { side: 'head', pointer: head.pointer }, subject, message, request);
  if (was === undefined && is !== undefined)
    yield is.required
      ? say('request-body-required', 'There is one now, and it has to be there.')
      : say('request-body-added', 'There can be one now.');
  if (was !== undefined && is === undefined)
    yield say('request-body-removed', 'There is none any more.');
  if (was === undefined || is === undefined) return;
  if (!was.required && is.required) yield say('request-body-required', 'It has to be there.');
  if (was.required && !is.required) yield say('request-body-optional', 'It can be left out.');
  yield* diffContent(was.content, is.content, subject, head.pointer, request, indexes, [
    'request-media-type-added',
    'request-media-type-removed',
  ]);
}

function* diffResponses(
  base: readonly Response[],
  head: readonly Response[],
  owner: string,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const { pairs, added, removed } = pairBy(base, head, ({ status }) => status);
  for (const { status, pointer } of added) {
    const at = { side: 'head', pointer } as const;
    yield createChange(
      'response-added',
      at,
      `${owner}, response ${status}`,
      'It is new.',
      response,
    );
  }
  for (const { status, pointer } of removed) {
    const at = { side: 'base', pointer } as const;
    yield createChange(
      'response-removed',
      at,
      `${owner}, response ${status}`,
      'It is gone.',
      response,
    );
  }
  for (const [one, other] of pairs) {
    const subject = `${owner}, response ${other.status}`;
    yield* diffNotes(one, other, subject, response);
    yield* diffParameters(one.headers, other.headers, responseHeaders, subject, indexes);
    yield* diffContent(one.content, other.content, subject, other.pointer, response, indexes, [
      'response-media-type-added',
      'response-media-type-removed',
    ]);
  }
}

function* diffContent(
  base: readonly Content[],
  head: readonly Content[],
  subject: string,
  pointer: Pointer,
  roles: ReadonlySet<Role>,
  indexes: SchemaIndexes,
  [addedCode, removedCode]: readonly [ChangeCode, ChangeCode],
): Generator<ContractChange> {
  const { pairs, added, removed } = pairBy(base, head, ({ mediaType }) => mediaType);
  const at = { side: 'head', pointer } as const;
  for (const { mediaType } of added)
    yield createChange(addedCode, at, subject, `${written(mediaType)} is new.`, roles);
  for (const { mediaType } of removed)
    yield createChange(removedCode, at, subject, `${written(mediaType)} is gone.`, roles);
  for (const [one, other] of pairs) {
    if (roles === request && !isSameJson(one.encoding, other.encoding)) {
      const message = `\`encoding\` was ${written(one.encoding)} and is ${written(other.encoding)}.`;
      yield createChange('request-encoding-changed', at, subject, message, roles);
    }
    for (const member of ['schema', 'itemSchema'] as const) {
      // Schemas with the same name are compared by `diffSchemas`.
      if (one[member] === other[member]) continue;
      const [from, to] = [toDefinition(one[member]), toDefinition(other[member])];
      yield* diffDefinitions(
        { definition: from, pointer },
        { definition: to, pointer },
        indexes,
        subject,
        roles,
      );
    }
  }
}

function toDefinition(name: string | undefined): JsonSchema {
  return name === undefined ? true : { $ref: `#/$defs/${name}` };
}

/**
 * Yields the changes of security requirements, which are alternatives: a new one relaxes security, a removed one
 * tightens it. A call that needs no authorisation before and after the change has no changes.
 */
export function* diffSecurity(
  base: readonly SecurityRequirement[],
  head: readonly SecurityRequirement[],
  say: (code: ChangeCode, message: string) => ContractChange,
): Generator<ContractChange> {
  const { added, removed } = pairBy(base, head, (requirement) => toCanonical(requirement));
  const isOpen = (list: readonly SecurityRequirement[]): boolean =>
    list.length === 0 || list.some((requirement) => requirement.length === 0);
  if (isOpen(base) && !isOpen(head))
    yield say('security-tightened', 'It has to be authorised now.');
  else if (!isOpen(base) && isOpen(head))
    yield say('security-relaxed', 'It need not be authorised any more.');
  else if (!isOpen(base)) {
    for (const requirement of removed)
      yield say('security-tightened', `${namesOf(requirement)} is no longer enough.`);
    for (const requirement of added)
      yield say('security-relaxed', `${namesOf(requirement)} is enough now.`);
  }
}

function* diffServers(
  base: readonly Server[],
  head: readonly Server[],
  subject: string,
  pointer: Pointer,
): Generator<ContractChange> {
  const { added, removed } = pairBy(base, head, ({ url }) => url);
  const at = { side: 'head', pointer } as const;
  for (const { url } of added)
    yield createChange('server-added', at, subject, `It is at ${written(url)} too.`, request);
  for (const { url } of removed)
    yield createChange(
      'server-removed',
      at,
      subject,
      `It is no longer at ${written(url)}.`,
      request,
    );
}

function namesOf(requirement: SecurityRequirement): string {
  return requirement.map(({ scheme }) => written(scheme)).join(' with ') || 'nothing';
}

function subjectOf({ id, method, path }: Operation): string {
  return `call ${id} (${method} ${path})`;
}
