import type { SimulatorContext } from '../context.ts';
import type { Json } from 'countersign/kit';
import type { ServedOperation } from '../service.ts';
import type { AccessTokens } from './access-tokens.ts';
import { encodeValue, type PreparedAnswer } from './answers.ts';

type IssueToken = (answer: PreparedAnswer, isGiven: boolean) => PreparedAnswer;

/**
 * Compiles the issue of access tokens by an operation: a new token is put into each response where the contract states
 * it. A token that a handler gave is kept. The lifetime is that of the response.
 */
export function compileIssue(
  { id: operation }: Pick<ServedOperation, 'id'>,
  { description }: Pick<SimulatorContext, 'description'>,
  tokens: AccessTokens,
): IssueToken {
  const schemes = description.security.flatMap(({ id, accessToken }) =>
    accessToken?.operation === operation ? [{ id, ...accessToken }] : [],
  );
  return (answer, isGiven) => {
    let issued = answer;
    if (answer.status < 200 || answer.status > 299) return answer;
    for (const { id, token: place, lifetime } of schemes) {
      const responseToken = readPlace(issued, place);
      const token =
        isGiven && typeof responseToken === 'string' && responseToken !== ''
          ? responseToken
          : tokens.create();
      issued = writePlace(issued, place, token);
      const seconds = lifetime === undefined ? undefined : Number(readPlace(issued, lifetime));
      tokens.issue(id, token, seconds === undefined || Number.isNaN(seconds) ? undefined : seconds);
    }
    return issued;
  };
}

const bodyPrefix = '$response.body';
const headerPrefix = '$response.header.';

function readPlace({ value, headers }: PreparedAnswer, place: string): Json | undefined {
  if (place.startsWith(headerPrefix)) {
    const name = place.slice(headerPrefix.length).toLowerCase();
    return Object.entries(headers).find(([headerName]) => headerName.toLowerCase() === name)?.[1];
  }
  let current: Json | undefined = value;
  for (const key of keysOf(place)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key))
      return undefined;
    current = Object.entries(current).find(([name]) => name === key)?.[1];
  }
  return current;
}

function writePlace(answer: PreparedAnswer, place: string, token: string): PreparedAnswer {
  if (place.startsWith(headerPrefix)) {
    const name = place.slice(headerPrefix.length);
    return { ...answer, headers: { ...answer.headers, [name]: token } };
  }
  const value = replaceAt(answer.value, keysOf(place), token);
  const contentType = answer.contentType ?? 'application/json';
  return { ...answer, value, contentType, bytes: encodeValue(value, contentType) };
}

function keysOf(place: string): readonly string[] {
  const [, pointer = ''] = place.slice(bodyPrefix.length).split('#');
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function replaceAt(value: Json | undefined, keys: readonly string[], replacement: Json): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      String(index) === key ? replaceAt(item, rest, replacement) : item,
    );
  const members = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  members.set(key, replaceAt(members.get(key), rest, replacement));
  return Object.fromEntries(members);
}
