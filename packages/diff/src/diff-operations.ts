import {
  describePagination,
  kindOf,
  normalizeTemplate,
  type Repetition,
  repetitionOf,
  templateNames,
} from 'countersign/companion/contract';
import { listTexts } from 'countersign/companion/terminal';
import { toCanonical, toPointer } from 'countersign/companion/values';
import type { Content, Operation, Parameter, Response, SecurityRequirement } from 'countersign/kit';
import {
  type ChangePlace,
  changesAt,
  type Comparison,
  concerning,
  type ContractChange,
  type ContractPair,
  type CreateChange,
  inBoth,
} from './change.ts';
import { diffItems, diffValues, type ItemPair, pairBy, type Pairs } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { diffParameters } from './diff-parameters.ts';
import { schemaNamed, type UsedSchema, useSchemas } from './diff-schemas.ts';
import { renamedSchemes } from './diff-security.ts';
import { diffServers } from './diff-servers.ts';
import { formatChange, formatValue } from './format-value.ts';

const request = ['request'] as const;
const response = ['response'] as const;

/**
 * Yields the changes of operations and of the service's servers. An operation is identified by its method and path,
 * however the parameters of the path are named, and with or without a final slash. What is left is paired by
 * `operationId`: it has another path.
 */
export function* diffOperations(contracts: Comparison): Generator<ContractChange> {
  const { base, head } = contracts;
  yield* diffServers(base.info.servers, head.info.servers, (place) =>
    changesAt(place, 'the service', request),
  );
  const byPath = pairBy(
    base.operations,
    head.operations,
    ({ method, path }) => `${method} ${path}`,
  );
  const byShape = pairBy(
    byPath.removed,
    byPath.added,
    ({ method, path }) => `${method} ${normalizeTemplate(path)}`,
  );
  const bySlash = pairBy(
    byShape.removed,
    byShape.added,
    ({ method, path }) => `${method} ${withoutSlash(normalizeTemplate(path))}`,
  );
  const moved = yield* diffItems(bySlash.removed, bySlash.added, {
    keyOf: ({ id }) => id,
    subjectOf,
    rolesOf: () => request,
    codes: ['operation-added', 'operation-removed'],
  });
  for (const pair of [...byPath.pairs, ...byShape.pairs, ...bySlash.pairs, ...moved])
    yield* concerning(subjectOf(pair[1]), diffOperation(...pair, contracts));
}

function* diffOperation(
  base: Operation,
  head: Operation,
  contracts: Comparison,
): Generator<ContractChange> {
  const subject = subjectOf(head);
  const create = changesAt(inBoth(base, head), subject, request);
  const [was, is] = [base, head].map(({ path }) => normalizeTemplate(path)) as [string, string];
  const hasSameParts = withoutSlash(was) === withoutSlash(is);
  yield* diffValues(create, [
    ['operation-renamed', 'The name of its function', base.names?.name, head.names?.name],
    ['method-changed', 'The method', base.method, head.method],
  ]);
  if (was !== is) {
    const slash = hasSameParts
      ? ' Only the final slash differs, and a service may answer with and without it.'
      : '';
    yield create('path-changed', `${formatChange('The path', base.path, head.path)}${slash}`);
  }
  yield* diffNotes(base, head, create);
  const positions = {
    base: templateNames(base.path),
    head: templateNames(head.path),
  };
  const owner = {
    by: subject,
    part: subject,
    // The wire has no names of the parameters in a path.
    keyOf: ({ in: place, name }: Parameter, side: 'base' | 'head') =>
      hasSameParts && place === 'path' && positions[side].includes(name)
        ? `path ${positions[side].indexOf(name)}`
        : undefined,
  };
  yield* diffParameters(base.parameters, head.parameters, 'parameter', owner, contracts);
  yield* diffRequestBody(base, head, contracts);
  yield* diffResponses(base, head, contracts);
  yield* diffSecurity(base.security, head.security, create, schemeNames(contracts));
  yield* diffRepetition(contracts, base, head, create);
  yield* diffPagination(base, head, create);
  yield* diffServers(base.servers, head.servers, (place) => changesAt(place, subject, request), [
    contracts.base.info.servers,
    contracts.head.info.servers,
  ]);
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/u, '');
}

/**
 * Yields changes of whether a call may be repeated. Where its method is another, the change is already reported as one
 * of the method.
 */
function* diffRepetition(
  contracts: ContractPair,
  base: Operation,
  head: Operation,
  create: CreateChange,
): Generator<ContractChange> {
  if (base.method !== head.method) return;
  const before = repetitionOf(contracts.base, base);
  const after = repetitionOf(contracts.head, head);
  if (before.because === 'kept' && after.because === 'kept' && before.keeps !== after.keeps)
    yield create(
      'repetition-withdrawn',
      `Repeating it was safe with the same value of ${formatValue(before.keeps)}. Now it is with that of ${formatValue(after.keeps)}.`,
    );
  const was = repetitions[before.because];
  const is = repetitions[after.because];
  if (was.certainty === is.certainty) return;
  const code = is.certainty > was.certainty ? 'repetition-allowed' : 'repetition-withdrawn';
  yield create(code, `Repeating it ${was.words}. Now it ${is.words}.`);
}

const repetitions: Readonly<
  Record<Repetition['because'], { readonly certainty: number; readonly words: string }>
> = {
  never: { certainty: 0, words: 'is not stated to be safe' },
  unstated: { certainty: 1, words: 'depends on an answer of the ledger' },
  kept: { certainty: 2, words: 'is stated to be safe with the same value of a parameter' },
  stated: { certainty: 3, words: 'is stated to be safe' },
  token: { certainty: 3, words: 'is stated to be safe' },
  idempotent: { certainty: 3, words: 'is safe by its method' },
};

/** Yields changes of how a list goes on. */
function* diffPagination(
  { pagination: base }: Operation,
  { pagination: head }: Operation,
  create: CreateChange,
): Generator<ContractChange> {
  const [before, after] = [base, head].map(
    (pagination) => pagination && describePagination(pagination),
  );
  if (before === after) return;
  if (before === undefined) yield create('pagination-added', `It is stated now: ${after}.`);
  else if (after === undefined) yield create('pagination-removed', 'It is not stated any more.');
  else yield create('pagination-changed', `It was ${before}. It is ${after} now.`);
}

function* diffRequestBody(
  was: Operation,
  operation: Operation,
  contracts: Comparison,
): Generator<ContractChange> {
  const { requestBody: base } = was;
  const { requestBody: head } = operation;
  const by = subjectOf(operation);
  const subject = `${by}, request body`;
  const create = changesAt(inBoth(was, operation), subject, request);
  if (head === undefined) {
    if (base !== undefined) yield create('request-body-removed', 'It was removed.');
  } else if (head.required && base?.required !== true)
    yield create('request-body-required', 'It is required now.');
  else if (base === undefined) yield create('request-body-added', 'It was added.');
  else if (base.required && !head.required)
    yield create('request-body-optional', 'It is optional now.');
  if (base !== undefined && head !== undefined)
    yield* diffContents(
      base.content,
      head.content,
      { place: inBoth(was, operation), subject, by, role: 'request' },
      contracts,
    );
}

function* diffResponses(
  before: Operation,
  after: Operation,
  contracts: Comparison,
): Generator<ContractChange> {
  const by = subjectOf(after);
  const responseSubject = ({ status }: Response): string => `${by}, response ${status}`;
  const { pairs, added, removed } = pairBy(
    before.responses,
    after.responses,
    ({ status }) => status,
  );
  // Clients reject a success that the contract of their version does not declare.
  const unexpected = added.filter(
    (item) => isSuccess(item) && coverOf(item, before.responses) === undefined,
  );
  const [come, gone] = [unexpected, removed.filter(isSuccess)];
  const [is, was] = come.length === 1 && gone.length === 1 ? [come[0], gone[0]] : [];
  if (is !== undefined && was !== undefined) {
    yield* replaceSuccess(was, is, [before, after], contracts);
  }
  const isReplaced = (item: Response): boolean => item === is || item === was;
  const hadFailure = before.responses.some(isFailure);
  for (const item of added.filter((other) => !isReplaced(other))) {
    const create = changesAt({ pointer: item.pointer }, responseSubject(item), response);
    // Without a failure, a call has no type of failures that code could depend on.
    const code = hadFailure || !isFailure(item) ? 'response-added' : 'first-failure-added';
    yield create(unexpected.includes(item) ? 'success-response-added' : code, 'It was added.');
    const cover = coverOf(item, before.responses);
    if (cover !== undefined) yield* diffCovered(cover, item, by, contracts);
  }
  yield* diffItems(
    removed.filter((other) => !isReplaced(other)),
    [],
    {
      keyOf: ({ status }) => status,
      subjectOf: responseSubject,
      rolesOf: () => response,
      codes: ['response-removed', 'response-removed'],
    },
  );
  for (const [baseResponse, headResponse] of pairs) {
    const subject = responseSubject(headResponse);
    const place = inBoth(baseResponse, headResponse);
    yield* diffNotes(baseResponse, headResponse, changesAt(place, subject, response));
    yield* diffParameters(
      baseResponse.headers,
      headResponse.headers,
      'response-header',
      { by, part: subject },
      contracts,
    );
    const contents = [baseResponse.content, headResponse.content] as const;
    yield* diffContents(...contents, { place, subject, by, role: 'response' }, contracts);
  }
}

/** Yields that one success takes the place of another, and what changed in its body. */
function* replaceSuccess(
  was: Response,
  is: Response,
  [before, after]: ItemPair<Operation>,
  contracts: Comparison,
): Generator<ContractChange> {
  const by = subjectOf(after);
  const [from, to] = [was, is].map(({ content }) => content.length > 0);
  const body = from === to ? '' : to === true ? ', with a body now' : ', without a body now';
  yield changesAt(
    {
      pointer: toPointer(after.pointer, 'responses', is.status),
      counterpart: toPointer(before.pointer, 'responses', was.status),
    },
    by,
    response,
  )(
    'success-status-changed',
    `The success status was ${formatValue(was.status)} and is ${formatValue(is.status)}${body}.`,
  );
  if (from === true && to === true)
    yield* diffContents(
      was.content,
      is.content,
      { place: inBoth(was, is), subject: `${by}, response ${is.status}`, by, role: 'response' },
      contracts,
    );
}

/** Yields the changes of the body of a status that a range or `default` described before. */
function* diffCovered(
  cover: Response,
  head: Response,
  by: string,
  contracts: Comparison,
): Generator<ContractChange> {
  const subject = `${by}, response ${head.status}`;
  const body: Body = { place: inBoth(cover, head), subject, by, role: 'response' };
  // The other media types are still those of the range or of `default`.
  for (const change of diffContents(cover.content, head.content, body, contracts))
    if (change.code !== 'response-media-type-removed') yield change;
}

/** Returns whether calls return with a response. An interim one, such as 102, is no answer. */
function isSuccess({ success, status }: Response): boolean {
  return success !== undefined && !status.startsWith('1');
}

/** Returns whether calls reject with a response. */
function isFailure({ failure }: Response): boolean {
  return failure !== undefined;
}

/** Returns the range or `default` in a list that describes the statuses of a response. */
function coverOf({ status }: Response, list: readonly Response[]): Response | undefined {
  return list.find(({ success, failure }) =>
    [success, failure].some((statuses) => {
      if (typeof statuses !== 'object') return false;
      const range = /^\d+$/u.test(status) ? `${status.slice(0, 1)}XX` : status;
      return statuses.ranges.includes(range) && !statuses.without.includes(Number(status));
    }),
  );
}

/** The body of a request or a response. */
interface Body {
  readonly place: ChangePlace;
  readonly subject: string;
  /** The operation. */
  readonly by: string;
  readonly role: 'request' | 'response';
}

function* diffContents(
  base: readonly Content[],
  head: readonly Content[],
  { place, subject, by, role }: Body,
  contracts: Comparison,
): Generator<ContractChange> {
  const create = changesAt(place, subject, [role]);
  const { pointer } = place;
  const { pairs, added, removed } = pairContents(base, head, role);
  for (const { mediaType } of added)
    yield create(`${role}-media-type-added`, `${formatValue(mediaType)} was added.`);
  for (const { mediaType } of removed)
    yield create(`${role}-media-type-removed`, `${formatValue(mediaType)} was removed.`);
  for (const [before, after] of pairs) {
    yield* diffValues(create, [
      [`${role}-media-type-renamed`, 'The media type', before.mediaType, after.mediaType],
    ]);
    yield* diffBytes(before, after, create, role);
    if (role === 'request')
      yield* diffValues(create, [
        ['request-encoding-changed', '`encoding`', before.encoding, after.encoding],
      ]);
    for (const member of ['schema', 'itemSchema'] as const) {
      if (before[member] === undefined && after[member] === undefined) continue;
      const [was, is] = [before, after].map((content) => schemaNamed(content[member], pointer)) as [
        UsedSchema,
        UsedSchema,
      ];
      useSchemas(contracts, was, is, { role, by, part: subject });
    }
  }
}

/**
 * Pairs bodies with the same media type. One that replaces another in a response is paired with it if deployed clients read
 * it in the same way.
 */
function pairContents(
  base: readonly Content[],
  head: readonly Content[],
  role: Body['role'],
): Pairs<Content> {
  const { pairs, added, removed } = pairBy(base, head, mediaTypeOf);
  const [[is, ...others], [was, ...more]] = [added, removed];
  const isReplaced =
    role === 'response' &&
    is !== undefined &&
    was !== undefined &&
    others.length + more.length === 0 &&
    isReadAs(is, was, base);
  return isReplaced
    ? { pairs: [...pairs, [was, is]], added: [], removed: [] }
    : { pairs, added, removed };
}

/**
 * Returns whether clients that know the bodies of the base read another body as a certain one: by its type, or as JSON
 * if there is no other.
 */
function isReadAs(body: Content, as: Content, base: readonly Content[]): boolean {
  const isAlike = ({ type, kind }: Content): boolean =>
    body.type === as.type ? type === body.type : body.kind === 'json' && kind === 'json';
  return isAlike(as) && base.filter(isAlike).length === 1;
}

/** Yields whether a body of the same media type consists of bytes now, or no longer. */
function* diffBytes(
  before: Content,
  after: Content,
  create: CreateChange,
  role: Body['role'],
): Generator<ContractChange> {
  const [was, is] = [before, after].map(({ kind }) => kind === 'binary');
  if (was === is) return;
  yield create(
    is ? `${role}-body-bytes` : `${role}-body-decoded`,
    is
      ? 'The body was decoded and consists of bytes now.'
      : 'The body consisted of bytes and is decoded now.',
  );
}

/**
 * Returns what a media type is on the wire: its letter case and the order of its parameters mean nothing, and neither does
 * a `charset` of JSON (RFC 8259, section 11).
 */
function mediaTypeOf({ type, parameters }: Content): string {
  const { charset, ...others } = parameters;
  const encoding = kindOf(type) === 'json' ? undefined : charset?.toLowerCase();
  return toCanonical([type, others, encoding ?? null]);
}

/** Returns the name of a security scheme of the base in the head, by the id of either. */
type SchemeNames = (id: string) => string;

function schemeNames({ base, head }: ContractPair): SchemeNames {
  const renamed = renamedSchemes(base.security, head.security);
  const names = new Map(renamed.map(([was, is]) => [was.id, is.id]));
  return (id) => names.get(id) ?? id;
}

/**
 * Yields the changes of security requirements, which are alternatives: a call that satisfied one of them before is
 * refused if it satisfies none of them now. A call that needs no authorization has no changes.
 */
function* diffSecurity(
  base: readonly SecurityRequirement[],
  head: readonly SecurityRequirement[],
  create: CreateChange,
  names: SchemeNames,
): Generator<ContractChange> {
  const isOpen = (list: readonly SecurityRequirement[]): boolean =>
    list.length === 0 || list.some((requirement) => requirement.length === 0);
  if (isOpen(base) || isOpen(head)) {
    if (!isOpen(head)) yield create('security-tightened', 'It requires authorization now.');
    if (!isOpen(base)) yield create('security-relaxed', 'It no longer requires authorization.');
    return;
  }
  const before = base.map((requirement) =>
    requirement.map(({ scheme, scopes }) => ({ scheme: names(scheme), scopes })),
  );
  const { pairs, added, removed } = pairBy(unique(before), unique(head), schemesOf);
  for (const [was, is] of pairs) {
    const [lost, gained] = [missingScopes(was, is), missingScopes(is, was)];
    const name = formatScheme(is);
    if (gained.length > 0 && lost.length > 0)
      yield create(
        'security-tightened',
        `${name} requires ${listScopes(gained)} instead of ${listScopes(lost)}.`,
      );
    else if (gained.length > 0)
      yield create('security-tightened', `${name} requires ${listScopes(gained)} as well.`);
    else if (lost.length > 0)
      yield create('security-relaxed', `${name} no longer requires ${listScopes(lost)}.`);
  }
  for (const requirement of removed)
    yield create(
      'security-tightened',
      `${formatRequirement(requirement)} is no longer sufficient.`,
    );
  for (const requirement of added)
    yield create('security-relaxed', `${formatRequirement(requirement)} is sufficient now.`);
}

/** Returns requirements with different sets of schemes, or with different scopes of the same schemes. */
function unique(list: readonly SecurityRequirement[]): readonly SecurityRequirement[] {
  return [...new Map(list.map((requirement) => [toCanonical(requirement), requirement])).values()];
}

function schemesOf(requirement: SecurityRequirement): string {
  return toCanonical(requirement.map(({ scheme }) => scheme).toSorted());
}

/** Returns the scopes of a requirement that another one with the same schemes does not name. */
function missingScopes(
  requirement: SecurityRequirement,
  other: SecurityRequirement,
): readonly string[] {
  return requirement.flatMap(({ scheme, scopes }) => {
    const named = other.find((candidate) => candidate.scheme === scheme)?.scopes ?? [];
    return scopes.filter((scope) => !named.includes(scope));
  });
}

function listScopes(scopes: readonly string[]): string {
  return `the ${scopes.length === 1 ? 'scope' : 'scopes'} ${listTexts(scopes.map(formatValue), 'and')}`;
}

function formatScheme(requirement: SecurityRequirement): string {
  return requirement.map(({ scheme }) => formatValue(scheme)).join(' with ');
}

function formatRequirement(requirement: SecurityRequirement): string {
  const scopes = requirement.flatMap((scheme) => scheme.scopes);
  const name = formatScheme(requirement);
  return scopes.length === 0 ? name : `${name} with ${listScopes(scopes)}`;
}

function subjectOf({ id, method, path }: Operation): string {
  return `operation ${id} (${method} ${path})`;
}
