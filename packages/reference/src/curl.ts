import {
  filledUrl,
  isMediaType,
  isRange,
  ownServerOf,
  unstatedId,
} from 'countersign/companion/contract';
import { styleOf } from 'countersign/companion/printing';
import { visible } from 'countersign/companion/target';
import {
  type Json,
  type Operation,
  type Parameter,
  type SecurityScheme,
  toEnvironmentName,
} from 'countersign/kit';
import { html, joinEach, type Html } from './html.ts';
import type { Page, Snippet } from './page.ts';
import { sampleCall, type SampleCall } from './sample-call.ts';
import { writeForm } from './wire.ts';

/** A part of a shell word: literal text, or a variable that the reader has to set. */
type Part = string | { readonly variable: string };

/** The address in samples where the contract has no `http` or `https` URL that can be called. */
const exampleAddress = 'https://service.example';

/** Writes a call as a cURL command. The caption names the variables that the reader has to set first. */
export function curlSnippet(
  page: Page,
  operation: Operation,
): { readonly caption: Html; readonly snippet: Snippet } {
  const command = new Command(page.contract.info.title);
  const sample = sampleCall(page, operation);
  const query = writeParameters(page, command, operation, sample);
  authorize(page, command, operation, query);
  writeBody(page, command, sample);
  const address = addressOf(page, operation, sample);
  const url = query.flatMap((pair, index): readonly Part[] => [
    index === 0 && !address.includes('?') ? '?' : '&',
    ...pair,
  ]);
  const method = /^[A-Z]+$/u.test(operation.method) ? operation.method : 'GET';
  const text = command.write([
    method === 'HEAD' ? '--head' : `--request ${method}`,
    // Without it, cURL reads brackets and braces in a URL as lists of URLs.
    '--globoff',
    `--url ${shellWord([address, ...url])}`,
  ]);
  const notes =
    command.notes.size > 0 &&
    html`. Set first:
    ${joinEach(command.notes, '; ', ([name, note]) => html`<code>${name}</code>, ${note}`)}.`;
  return {
    caption: html`cURL, in a POSIX shell${notes}`,
    snippet: { language: 'shell', text },
  };
}

/** Builds a cURL command from options. */
class Command {
  readonly #service: string;
  readonly #options: string[] = [];
  readonly #headers = new Set<string>();
  /** Descriptions of the variables, by name. */
  readonly notes = new Map<string, Html>();

  constructor(service: string) {
    this.#service = service;
  }

  /** Adds an option. Text of a contract may occur only in `parts`, which are quoted. */
  option(name: `--${string}`, parts: readonly Part[]): void {
    this.#options.push(`${name} ${shellWord(parts)}`);
  }

  /**
   * Adds a header unless it has been added. Omits a name that is not an RFC 9110 token, because cURL could interpret it:
   * `@name`, for example, reads a file.
   */
  header(name: string, value: readonly Part[]): void {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/u.test(name) || this.#headers.has(key)) return;
    this.#headers.add(key);
    this.option('--header', [`${name}: `, ...value]);
  }

  /**
   * Returns the variable for a value that the reader has. A contract cannot choose an unrelated variable of the reader's
   * environment, whose value would be sent.
   */
  variable(name: string, note: Html): Part {
    const variable = toEnvironmentName(this.#service, name);
    this.notes.set(variable, note);
    return { variable };
  }

  write(first: readonly string[]): string {
    return ['curl', ...[...first, ...this.#options].map((option) => `  ${option}`)].join(' \\\n');
  }
}

/**
 * Quotes a word for a POSIX shell. If a variable is not set, the shell stops the command before cURL sends anything.
 */
function shellWord(parts: readonly Part[]): string {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined
    .filter((part) => part !== '')
    .map((part) =>
      typeof part === 'string'
        ? `'${visible(part).replaceAll("'", String.raw`'\''`)}'`
        : `"\${${part.variable}:?}"`,
    )
    .join('');
}

/** Returns the URL of the service with the path of the call. */
function addressOf(page: Page, operation: Operation, { parameters }: SampleCall): string {
  const { contract, runtime } = page;
  const { root } = contract.servers;
  const operationServer = ownServerOf(contract, operation)?.server;
  // A path of an operation's own server is relative to the address of the service.
  const base = [root, operationServer].reduce<URL | undefined>((address, server) => {
    const url = server === undefined ? '' : filledUrl(server);
    if (server === undefined) return address;
    return URL.canParse(url, address) ? new URL(url, address) : undefined;
  }, new URL(exampleAddress));
  const isPlain = base !== undefined && /^https?:$/u.test(base.protocol) && base.username === '';
  const address = isPlain ? base.origin + base.pathname.replace(/\/+$/u, '') : exampleAddress;
  const segments = new Map(
    parameters
      .filter(({ parameter }) => parameter.in === 'path')
      .map(({ parameter, value }) => {
        const encode = parameter.allowReserved ? runtime.reservedPath : runtime.percent;
        const segment = write(page, parameter, value, encode) ?? '';
        return [parameter.name, /^\.{0,2}$/u.test(segment) ? 'text' : segment];
      }),
  );
  const path = operation.path
    .split(/(\{[^{}]*\})/u)
    .map((part) => segments.get(part.slice(1, -1)) ?? encodeURI(part.toWellFormed()));
  return address + path.join('').replaceAll(/[?#].*$/gsu, '');
}

/** Adds headers and cookies to the command, and returns the pairs of the query. */
function writeParameters(
  page: Page,
  command: Command,
  { parameters: declared }: Operation,
  { parameters }: SampleCall,
): (readonly Part[])[] {
  const { runtime } = page;
  const query: (readonly Part[])[] = [];
  for (const { parameter, value } of parameters) {
    const place = parameter.in;
    if (place === 'path') continue;
    const plain = (text: string): string => text;
    const isPlain = place === 'header' || parameter.style === 'cookie';
    const encode = isPlain ? plain : parameter.allowReserved ? runtime.reserved : runtime.percent;
    const parameterText = write(page, parameter, value, encode);
    if (parameterText === undefined || parameterText === '') continue;
    if (place === 'query') query.push([parameterText]);
    else if (place === 'cookie') command.option('--cookie', [parameterText]);
    else
      command.header(parameter.name, [
        /^[\t\x20-\x7e]*$/u.test(parameterText) ? parameterText : 'text',
      ]);
  }
  for (const { name, in: place, everyRequest } of declared) {
    if (everyRequest === undefined || place === 'path') continue;
    const note = everyRequest.value === 'timestamp' ? html`the time of sending` : html`a new UUID`;
    const isOpen = unstatedId(everyRequest.value) !== undefined;
    const made = [command.variable(name, isOpen ? html`a new value` : note)];
    if (place === 'query') query.push([`${runtime.percent(name)}=`, ...made]);
    else if (place === 'cookie') command.option('--cookie', [`${runtime.percent(name)}=`, ...made]);
    else command.header(name, made);
  }
  return query;
}

function write(
  { runtime, styles }: Page,
  parameter: Parameter,
  value: Json,
  encode: (text: string) => string,
): string | undefined {
  const style = parameterStyles.find((name) => name === styleOf(parameter, styles));
  if (style === undefined) return undefined;
  try {
    return runtime[style](parameter.name, value, parameter.explode, encode);
  } catch (error) {
    // The style cannot write the value, or the value has a lone surrogate.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

const parameterStyles = [
  'simple',
  'label',
  'matrix',
  'form',
  'cookie',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
  'deepObjectBrackets',
  'deepObjectRepeat',
  'jsonPair',
  'jsonValue',
] as const;

/** Adds the credentials that the first alternative of the security requirements requires. */
function authorize(
  { contract, anchors }: Page,
  command: Command,
  { security: [schemes = []] }: Operation,
  query: (readonly Part[])[],
): void {
  for (const { scheme: id } of schemes) {
    const scheme = contract.security.find((candidate) => candidate.id === id);
    if (scheme === undefined) continue;
    const { signature, accessToken } = scheme;
    if (signature !== undefined) {
      const { timestamp } = signature;
      if (timestamp?.header !== undefined)
        command.header(timestamp.header, [
          command.variable(timestamp.header, html`the time of signing`),
        ]);
      const note = html`the signature (<a href="#${anchors.of('security', id)}">${id}</a>) of
        exactly this request, made with the key <code>${signature.key.credential}</code>: compute it
        with the form at that place, or let a generated client sign`;
      const name = scheme.parameterName ?? id;
      command.header(name, [command.variable(name, note)]);
    } else if (accessToken !== undefined) {
      const note = html`the access token (${id}) from
        <a href="#${anchors.of('call', accessToken.operation)}">${accessToken.operation}</a>`;
      const name = scheme.type === 'apiKey' ? scheme.parameterName : undefined;
      const [before = '', after = ''] = tokenForm(contract.unstated, accessToken.value);
      command.header(name ?? 'authorization', [before, command.variable(scheme.name, note), after]);
    } else addCredential(command, scheme, query);
  }
}

/**
 * Returns the text before and after the token in the value of its header. For an open question, uses the settled or
 * assumed answer, or else the first choice.
 */
function tokenForm(
  unstated: Page['contract']['unstated'],
  value: NonNullable<SecurityScheme['accessToken']>['value'],
): readonly string[] {
  const entry = unstated.find(({ id }) => id === unstatedId(value));
  const chosen = entry?.settled ?? entry?.assumed;
  const choice = entry?.choices.find(({ name }) => name === chosen) ?? entry?.choices[0];
  const form = typeof value === 'string' ? value : choice?.value;
  return (typeof form === 'string' ? form : '{token}').split('{token}');
}

function addCredential(
  command: Command,
  { id, name, type, in: place, parameterName = id, httpScheme = '' }: SecurityScheme,
  query: (readonly Part[])[],
): void {
  const credential = (note: Html): Part => command.variable(name, html`${note} (${id})`);
  if (type === 'apiKey') {
    const key = credential(html`the key`);
    const pair = [`${encodeURIComponent(parameterName.toWellFormed())}=`, key];
    if (place === 'query') query.push(pair);
    else if (place === 'cookie') command.option('--cookie', pair);
    else command.header(parameterName, [key]);
  } else if (type === 'http' && httpScheme === 'basic') {
    command.option('--user', [credential(html`the user and the password with a colon between`)]);
  } else if (type === 'http' && httpScheme !== 'bearer') {
    command.header('authorization', [credential(html`the whole value of the header`)]);
  } else if (type === 'http' || type === 'oauth2' || type === 'openIdConnect') {
    command.header('authorization', ['Bearer ', credential(html`the access token`)]);
  } else if (type === 'mutualTLS') {
    command.option('--cert', [credential(html`the file of the client certificate`)]);
  }
}

function writeBody(page: Page, command: Command, { body }: SampleCall): void {
  if (body === undefined) return;
  const { content, value } = body;
  const { kind } = content;
  if (kind === 'multipart') {
    writeMultipart(command, value);
    return;
  }
  const isPlain = isMediaType(content.mediaType) && !isRange(content.mediaType);
  const other =
    kind === 'value'
      ? 'application/json'
      : kind === 'string'
        ? 'text/plain'
        : 'application/octet-stream';
  command.header('content-type', [isPlain ? content.mediaType : other]);
  if (kind === 'binary' || kind === 'lines') {
    command.option('--data-binary', ['@body.bin']);
    return;
  }
  const json = JSON.stringify(value, null, 2);
  const text =
    kind === 'form'
      ? (writeForm(page, content, value) ?? '')
      : (kind === 'text' || kind === 'string') && typeof value === 'string'
        ? value
        : json;
  command.option('--data-raw', [text]);
}

/** Adds the fields of a multipart form. Omits names with characters that cURL could interpret. */
function writeMultipart(command: Command, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!/^[\w.[\]-]+$/u.test(name)) continue;
    const text = typeof member === 'string' ? member : JSON.stringify(member);
    command.option('--form-string', [`${name}=${text}`]);
  }
}
