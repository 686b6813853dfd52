import { ClientError } from './client-error.ts';
import type { Input, ParameterDescription } from './operation.ts';
import { hasDotSegment, percent, reservedPath, wellFormed } from './styles.ts';

/** A request under construction, one for each attempt. */
export interface Draft {
  readonly method: string;
  /** The current URL, with the query parameters added so far. */
  readonly url: string;
  /** The path of the base address, without a trailing slash. */
  readonly basePath: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The secrets to remove from errors. */
  readonly secrets: Set<string>;
  /**
   * Sets a header, or adds to the header `cookie`.
   * @throws ClientError `invalid-input` for a value that would change when it is sent
   */
  readonly header: (name: string, value: string) => void;
  /** Adds a credential, and remembers it as a secret. */
  readonly secret: (place: 'headers' | 'query' | 'cookies', name: string, value: string) => void;
}

/**
 * Creates a request from the input of a call.
 * @throws ClientError `invalid-input` for a parameter that is missing or cannot be written
 */
export function createDraft(
  method: string,
  base: string,
  template: string,
  parameters: readonly ParameterDescription[],
  input: Input,
  body: Uint8Array<ArrayBuffer>,
  secrets: Set<string>,
  allowReserved: readonly string[] = [],
): Draft {
  const headers = new Headers();
  const query: string[] = [];
  const cookies: string[] = [];
  let path = template;
  const setHeader = (name: string, value: string): void => {
    let kept: string | null = null;
    try {
      headers.set(name, value);
      kept = headers.get(name);
    } catch {
      // Reported below, together with values that fetch would trim: the sent value would differ from the signed one.
    }
    if (kept !== value)
      throw new ClientError(
        'invalid-input',
        `The header ${JSON.stringify(name)} has an invalid name, or a value with line ends, surrounding space or characters outside Latin-1.`,
      );
  };
  const addCookie = (text: string): void => {
    cookies.push(text);
    setHeader('cookie', cookies.join('; '));
  };
  const header = (name: string, value: string): void =>
    name.toLowerCase() === 'cookie' ? addCookie(value) : setHeader(name, value);
  for (const parameter of parameters) {
    const text = write(parameter, input, allowReserved);
    if (parameter.in === 'path') path = path.replaceAll(`{${parameter.name}}`, () => text);
    else if (text === '') continue;
    else if (parameter.in === 'query') query.push(text);
    else if (parameter.in === 'headers') header(parameter.name, text);
    else addCookie(text);
  }
  return {
    method,
    basePath: base.replace(/^https?:\/\/[^/]*/, ''),
    get url() {
      const mark = path.includes('?') ? '&' : '?';
      return base + path + (query.length === 0 ? '' : mark + query.join('&'));
    },
    headers,
    body,
    secrets,
    header,
    secret(place, name, value) {
      secrets.add(value);
      if (place === 'headers') {
        setHeader(name, value);
        return;
      }
      const text = `${percent(name)}=${percent(wellFormedSecret(name, value))}`;
      if (place === 'query') query.push(text);
      else addCookie(text);
    },
  };
}

/**
 * Asserts that the URL is sent exactly as it was built and signed, because a URL parser does not change it.
 * @throws ClientError `unsafe-url`
 */
export function assertSafeUrl(url: string, base: string): void {
  // The base is origin and path. A URL that starts with it, and continues with a slash or a query, has the same host and
  // no credentials.
  const rest = url.slice(base.length);
  const isBelow = url.startsWith(base) && /^(?:[/?]|$)/.test(rest) && !url.includes('#');
  const [path = ''] = rest.split('?', 1);
  const isSent = isBelow && URL.canParse(url) && new URL(url).href === url;
  if (isSent && !hasDotSegment(path)) return;
  throw new ClientError(
    'unsafe-url',
    'The path contains dot segments or characters that must be escaped.',
  );
}

/**
 * Returns the base address without trailing slashes.
 * @param option the name of the option that has it
 * @throws ClientError `invalid-option` unless it is an http or https URL without query, fragment and credentials
 */
export function toBase(baseUrl: string, option = 'baseUrl'): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && !/[?#]|\p{Surrogate}/u.test(baseUrl);
  if (!isPlain || url.username + url.password !== '')
    throw new ClientError(
      'invalid-option',
      `The option ${option} must be an http or https URL without query, fragment and credentials.`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function wellFormedSecret(name: string, value: string): string {
  try {
    return wellFormed(value);
  } catch (cause) {
    throw new ClientError(
      'invalid-input',
      `The credential ${JSON.stringify(name)} ${(cause as Error).message}.`,
    );
  }
}

function write(
  parameter: ParameterDescription,
  input: Input,
  allowReserved: readonly string[],
): string {
  const { name, style, scalar, explode = false } = parameter;
  const group: object = input[parameter.in] ?? {};
  const value = Object.hasOwn(group, name) ? (group as Record<string, unknown>)[name] : undefined;
  const fault = (what: string): ClientError =>
    new ClientError(
      'invalid-input',
      `The ${parameter.in} parameter ${JSON.stringify(name)} ${what}.`,
    );
  if (value === undefined || value === null) {
    if (parameter.required === true || parameter.in === 'path') throw fault('is missing');
    return '';
  }
  try {
    if (scalar === true && typeof value === 'object')
      throw new TypeError('must be a string, a number or a boolean');
    const isPath = parameter.in === 'path';
    const encode = isPath && allowReserved.includes(name) ? reservedPath : parameter.encode;
    const text = style(name, value, explode, encode ?? encodings[parameter.in]);
    // An empty array or object would change the path to that of another resource.
    if (isPath && /^\.?$/.test(text)) throw new TypeError('is empty');
    if (isPath && hasDotSegment(text))
      throw new TypeError('contains a dot segment, which servers resolve to another path');
    return text;
  } catch (error) {
    throw error instanceof TypeError ? fault(error.message) : error;
  }
}

const encodings = {
  path: escapeSegment,
  query: percent,
  headers: (text: string) => text,
  cookies: percent,
} as const;

/**
 * Escapes a path segment, also its slashes. Refuses a text of slashes only: a server that unescapes and merges them would
 * find the path of another resource.
 */
function escapeSegment(text: string): string {
  if (/^[/\\]*$|[\r\n]/.test(text)) throw new TypeError('is empty or contains a line end');
  return percent(text);
}
