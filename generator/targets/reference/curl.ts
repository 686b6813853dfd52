import type { Operation, SecurityScheme } from '../../contract/contract.ts';
import type { Json } from '../../json/json.ts';
import { visible } from '../escape.ts';
import { kindOf } from '../client/media-types.ts';
import { styleOf, type Styles } from '../client/operation-data.ts';
import { html, joinHtml, type Html } from './html.ts';
import { copyable, unstatedId, type Page } from './page.ts';
import { sampleCall, type SampleCall } from './sample-call.ts';
import { writeForm, type ClientRuntime } from './wire.ts';

/** A part of a shell word: text that the shell takes as it is, or a variable that the reader has to set. */
type Part = string | { readonly variable: string };

/** The address in samples where the contract states none that can be called. */
const exampleAddress = 'https://service.example';

/** Shows a call as a command of cURL, with the variables that the reader sets first. */
export async function curlSnippet(
  page: Page,
  runtime: ClientRuntime,
  operation: Operation,
): Promise<Html> {
  const command = new Command();
  const sample = sampleCall(page, operation);
  const query = writeParameters(page, runtime, command, operation, sample);
  authorise(page, command, operation, query);
  await writeBody(page, runtime, command, sample);
  const address = addressOf(page, operation, runtime, sample);
  const url = query.flatMap((pair, index): readonly Part[] => [
    index === 0 && !address.includes('?') ? '?' : '&',
    ...pair,
  ]);
  const method = /^[A-Z]+$/u.test(operation.method) ? operation.method : 'GET';
  const text = command.write([
    method === 'HEAD' ? '--head' : `--request ${method}`,
    `--url ${shellWord([address, ...url])}`,
  ]);
  const notes =
    command.notes.size === 0
      ? undefined
      : html`<p class="note">
          Set first:
          ${joinHtml(
            Array.from(command.notes, ([name, note]) => html`<code>${name}</code>, ${note}`),
            '; ',
          )}.
        </p>`;
  return html`${copyable(html`cURL, in a shell`, { language: 'shell', text })}${notes}`;
}

/** A command as it grows. */
class Command {
  readonly #options: string[] = [];
  readonly #headers = new Set<string>();
  /** What each variable stands for. */
  readonly notes = new Map<string, Html>();

  /** Adds an option; the text of a contract reaches it only as `parts`. */
  option(
    name:
      | '--header'
      | '--cookie'
      | '--user'
      | '--cert'
      | '--data-raw'
      | '--data-binary'
      | '--form'
      | '--form-string',
    parts: readonly Part[],
  ): void {
    this.#options.push(`${name} ${shellWord(parts)}`);
  }

  /** Adds a header once. A name that is no token could be another option of cURL, and is left out. */
  header(name: string, value: readonly Part[]): void {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/u.test(name) || this.#headers.has(key)) return;
    this.#headers.add(key);
    this.option('--header', [`${name}: `, ...value]);
  }

  /**
   * Returns the variable for something the reader has. Its name begins with `API_`, so that no contract can name a
   * variable that the reader's environment has already, and have its value sent.
   */
  variable(name: string, note: Html): Part {
    const words = name
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, '_')
      .replaceAll(/[^A-Za-z0-9]+/gu, '_')
      .replaceAll(/^_|_$/gu, '')
      .toUpperCase();
    const variable = /^API_./u.test(words) ? words : `API_${words}`;
    this.notes.set(variable, note);
    return { variable };
  }

  write(first: readonly string[]): string {
    return ['curl', ...[...first, ...this.#options].map((option) => `  ${option}`)].join(' \\\n');
  }
}

/** Quotes a word for a POSIX shell. An unset variable ends the command before anything is sent. */
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

/** The address of the service with the path of the call. */
function addressOf(
  { contract, styles }: Page,
  operation: Operation,
  runtime: ClientRuntime,
  { parameters }: SampleCall,
): string {
  const [server] = operation.servers.length > 0 ? operation.servers : contract.info.servers;
  const filled = (server?.variables ?? []).reduce(
    (url, { name, default: value }) => url.replaceAll(`{${name}}`, () => value),
    server?.url ?? '',
  );
  const base = URL.canParse(filled, exampleAddress) ? new URL(filled, exampleAddress) : undefined;
  const isPlain = base !== undefined && /^https?:$/u.test(base.protocol) && base.username === '';
  const address = isPlain ? base.origin + base.pathname.replace(/\/+$/u, '') : exampleAddress;
  const segments = new Map(
    parameters.flatMap(({ parameter, value }) =>
      parameter.in === 'path'
        ? [[parameter.name, pathSegment(runtime, styles, parameter, value)]]
        : [],
    ),
  );
  const path = operation.path
    .split(/(\{[^{}]*\})/u)
    .map((part) => segments.get(part.slice(1, -1)) ?? encodeURI(part.toWellFormed()));
  return address + path.join('').replaceAll(/[?#].*$/gsu, '');
}

function pathSegment(
  runtime: ClientRuntime,
  styles: Styles,
  parameter: SampleCall['parameters'][number]['parameter'],
  value: Json,
): string {
  const written = write(
    runtime,
    styles,
    parameter,
    value,
    parameter.allowReserved ? runtime.reservedPath : runtime.percent,
  );
  return written === undefined || /^\.{0,2}$/u.test(written) ? 'text' : written;
}

/** Writes headers and cookies, and returns the pairs of the query. */
function writeParameters(
  { styles }: Page,
  runtime: ClientRuntime,
  command: Command,
  { parameters: declared }: Operation,
  { parameters }: SampleCall,
): (readonly Part[])[] {
  const query: (readonly Part[])[] = [];
  for (const { parameter, value } of parameters) {
    const place = parameter.in;
    if (place === 'path') continue;
    const plain = (text: string): string => text;
    const encode =
      place === 'header' ? plain : parameter.allowReserved ? runtime.reserved : runtime.percent;
    const written = write(runtime, styles, parameter, value, encode);
    if (written === undefined || written === '') continue;
    if (place === 'query') query.push([written]);
    else if (place === 'cookie') command.option('--cookie', [written]);
    else command.header(parameter.name, [/^[\t\x20-\x7e]*$/u.test(written) ? written : 'text']);
  }
  for (const { name, in: place, everyRequest } of declared) {
    if (everyRequest === undefined || place === 'path') continue;
    const note = everyRequest.value === 'timestamp' ? html`the time of sending` : html`a new UUID`;
    const made = [
      command.variable(
        name,
        unstatedId(everyRequest.value) === undefined ? note : html`a new value`,
      ),
    ];
    if (place === 'query') query.push([`${runtime.percent(name)}=`, ...made]);
    else if (place === 'cookie') command.option('--cookie', [`${runtime.percent(name)}=`, ...made]);
    else command.header(name, made);
  }
  return query;
}

function write(
  runtime: ClientRuntime,
  styles: Styles,
  parameter: SampleCall['parameters'][number]['parameter'],
  value: Json,
  encode: (text: string) => string,
): string | undefined {
  const style = parameterStyles.find((name) => name === styleOf(parameter, styles));
  if (style === undefined) return undefined;
  try {
    return runtime[style](parameter.name, value, parameter.explode, encode);
  } catch (error) {
    // The value is one that the style cannot write, or holds half of a character.
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

/** Adds what the first alternative of the security requirements asks for. */
function authorise(
  { contract, anchors }: Page,
  command: Command,
  { security: [schemes = []] }: Operation,
  query: (readonly Part[])[],
): void {
  for (const { scheme: id } of schemes) {
    const scheme = contract.security.find((candidate) => candidate.id === id);
    if (scheme === undefined) continue;
    const link = html`<a href="#${anchors.of('security', id)}">${id}</a>`;
    const { signature, accessToken } = scheme;
    if (signature !== undefined) {
      const { timestamp } = signature;
      if (timestamp?.header !== undefined)
        command.header(timestamp.header, [
          command.variable(timestamp.header, html`the time of signing`),
        ]);
      const note = html`the signature (${link}) of exactly this request, made with the key
        <code>${signature.key.credential}</code>: compute it with the form at that place, or let a
        generated client sign`;
      const name = scheme.parameterName ?? id;
      command.header(name, [command.variable(name, note)]);
    } else if (accessToken !== undefined) {
      const note = html`the access token (${link}) from
        <a href="#${anchors.of('call', accessToken.operation)}">${accessToken.operation}</a>`;
      const name = scheme.type === 'apiKey' ? scheme.parameterName : undefined;
      const [before = '', after = ''] = tokenForm(contract.unstated, accessToken.value);
      command.header(name ?? 'authorization', [before, command.variable(scheme.name, note), after]);
    } else addCredential(command, scheme, link, query);
  }
}

/** How the header of a token is written: the text before the token, and the text behind it. */
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
  link: Html,
  query: (readonly Part[])[],
): void {
  const credential = (note: Html): Part => command.variable(name, html`${note} (${link})`);
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

async function writeBody(
  { styles }: Page,
  runtime: ClientRuntime,
  command: Command,
  { body }: SampleCall,
): Promise<void> {
  if (body === undefined) return;
  const { content, value } = body;
  const kind = kindOf(content.mediaType);
  if (kind === 'multipart') {
    writeMultipart(command, value);
    return;
  }
  const isPlain = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\t\x20-\x7e]*)?$/u.test(content.mediaType);
  command.header('content-type', [isPlain ? content.mediaType : 'application/octet-stream']);
  if (kind === 'binary' || kind === 'lines') {
    command.option('--data-binary', ['@body.bin']);
    return;
  }
  const json = JSON.stringify(value, null, 2);
  const text =
    kind === 'form'
      ? await writeForm(runtime, styles, content, value).catch(() => '')
      : kind === 'text' && typeof value === 'string'
        ? value
        : json;
  command.option('--data-raw', [text]);
}

/** Writes the fields of a form; a name that cURL would read as more than a name is left out. */
function writeMultipart(command: Command, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!/^[\w.[\]-]+$/u.test(name)) continue;
    const text = typeof member === 'string' ? member : JSON.stringify(member);
    command.option('--form-string', [`${name}=${text}`]);
  }
}
