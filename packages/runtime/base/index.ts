// What several parts of the runtime need: modules of the platform, bytes, exact numbers, media types, secrets, repetition,
// public URLs, failures.

/**
 * What to do with a number that no double represents exactly: `refuse` the response or the notification, which `onInvalid`
 * then gets, or return the number as `text`.
 */
export type NumberMode = 'refuse' | 'text';

/** Why a text cannot be a secret: nothing in it is visible, it stands for a missing value, or white space is around it. */
export type SecretFault = 'blank' | 'unset' | 'white-space';

/** Characters that nobody sees: white space, control characters, and those that a browser or an editor may add or leave. */
const invisible = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const invisibleEnd = /^[\p{Cc}\u200B\u200E\u200F\u2060]|[\p{Cc}\u200B\u200E\u200F\u2060]$/u;

/** What is written for a value that is missing: by JavaScript, by files of variables, and by templates of them. */
const placeholder = /^(?:undefined|null|nan|\[object [a-z]+\]|""|''|\$\{\w*\}|\{\{[\s\w.]*\}\})$/i;

/**
 * Returns why a value cannot be a secret, or `undefined` for a text that can. Such a secret is a mistake of the
 * configuration: anybody can guess the first two, and a sender never writes the line break at the end of a file.
 */
export function faultOfSecret(secret: unknown): SecretFault | undefined {
  if (typeof secret !== 'string') return 'blank';
  if (invisible.test(secret)) return 'blank';
  const text = secret.trim();
  if (placeholder.test(text)) return 'unset';
  return text === secret && !invisibleEnd.test(secret) ? undefined : 'white-space';
}

/** Returns a member that an object has itself, and not by its prototype. */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Headers whose values are credentials: they are never stored. */
export const credentialHeaders: readonly string[] = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
];

/** When a failed event is tried again. */
export interface RetryOptions {
  /**
   * The number of attempts after which an event is a dead letter. Default: 20, with delays of four to eight hours in
   * all.
   */
  readonly attempts?: number;
  /** Milliseconds before the second attempt. Default: 1,000. */
  readonly firstDelayMs?: number;
  /** The factor between a delay and the next one. Default: 2. */
  readonly factor?: number;
  /** The longest delay, in milliseconds. Default: 3,600,000 (one hour). */
  readonly maxDelayMs?: number;
  /** The part of a delay that is random, from 0 to 1: a delay is shorter by up to this part. Default: 0.5. */
  readonly jitter?: number;
}

/** Returns the delay after a failed attempt, in milliseconds. Undefined after the last attempt. */
export type NextDelay = (failedAttempts: number) => number | undefined;

const retryOptions: ReadonlySet<string> = new Set([
  'attempts',
  'firstDelayMs',
  'factor',
  'maxDelayMs',
  'jitter',
]);

/**
 * Checks when failed events are tried again.
 * @param random returns a number from 0 to 1
 * @param name the name of the option in errors
 * @param toError creates the error for an option that is unknown or out of range, which is thrown
 */
export function createRetry(
  options: RetryOptions,
  random: () => number,
  name: string,
  toError: (fault: string) => Error,
): NextDelay {
  const unknown = Object.keys(options).find((option) => !retryOptions.has(option));
  if (unknown !== undefined) throw toError(unknownOption(name, unknown, retryOptions));
  const {
    attempts = 20,
    firstDelayMs = 1000,
    factor = 2,
    maxDelayMs = 3_600_000,
    jitter = 0.5,
  } = options;
  if (!(firstDelayMs >= 0 && factor >= 1 && maxDelayMs >= firstDelayMs && maxDelayMs < Infinity))
    throw toError(
      `\`${name}\` must have a \`firstDelayMs\` from 0 to \`maxDelayMs\`, and a \`factor\` of at least 1`,
    );
  if (!(jitter >= 0 && jitter <= 1))
    throw toError(`\`${name}.jitter\` must be a number from 0 to 1`);
  if (!(Number.isSafeInteger(attempts) && attempts > 0))
    throw toError(`\`${name}.attempts\` must be an integer above 0`);
  return (failedAttempts) => {
    if (failedAttempts >= attempts) return undefined;
    const delay = Math.min(maxDelayMs, firstDelayMs * factor ** (failedAttempts - 1));
    return Math.round(delay * (1 - jitter * random()));
  };
}

/** Returns the text about an option that does not exist. */
export function unknownOption(name: string, unknown: string, known: ReadonlySet<string>): string {
  const list = [...known].map((option) => `\`${option}\``).join(', ');
  return `\`${name}\` has no option \`${unknown}\`. Its options are ${list}`;
}

/** Writes bytes in hexadecimal digits, in lower case. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns whether the number that `JSON.parse` returns for a literal has, in its shortest decimal, the same value. */
export function isExactNumber(literal: string): boolean {
  const double = Number(literal);
  const shortest = String(double);
  // Most long literals are what JavaScript writes for a double.
  if (shortest === literal) return true;
  return Number.isFinite(double) && toDecimal(literal) === toDecimal(shortest);
}

/** Returns the absolute value of a literal as an integer that does not end with zero, and its power of ten. */
function toDecimal(literal: string): string {
  const [, integer = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(literal) ?? [];
  const digits = (integer + fraction).replace(/^0+/u, '');
  // A loop, because a pattern for trailing zeros takes quadratic time.
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  if (end === 0) return '0';
  return `${digits.slice(0, end)}e${Number(power) - fraction.length + (digits.length - end)}`;
}

/**
 * Returns the type and subtype of a media type without its parameters, in lower case.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Returns whether a media type is JSON. A suffix decides it for types with a structure of their own (RFC 6839). */
export function isJsonType(mediaType: string): boolean {
  return /[/+]json$/.test(essenceOf(mediaType));
}

/**
 * Returns the parameters of a media type by name in lower case, without the weight of an `Accept` header. `charset` is in
 * lower case; other values are compared as they are.
 */
export function parametersOf(mediaType: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (let at = mediaType.indexOf(';'); at >= 0; at = mediaType.indexOf(';', at)) {
    const end = mediaType.indexOf('=', at);
    if (end < 0) break;
    // A parameter without a value has no effect.
    const name = mediaType.slice(mediaType.lastIndexOf(';', end) + 1, end);
    const [value, next] = valueFrom(mediaType, end + 1);
    at = next;
    const key = name.trim().toLowerCase();
    if (key !== 'q') parameters.set(key, key === 'charset' ? value.toLowerCase() : value);
  }
  return parameters;
}

/** Returns the value of a parameter, a token or a quoted text, and where it ends. */
function valueFrom(mediaType: string, start: number): readonly [value: string, end: number] {
  let at = start;
  while (mediaType[at] === ' ' || mediaType[at] === '\t') at++;
  if (mediaType[at] !== '"') {
    const end = mediaType.indexOf(';', at);
    const stop = end < 0 ? mediaType.length : end;
    return [mediaType.slice(at, stop).trim(), stop];
  }
  let value = '';
  for (at++; at < mediaType.length && mediaType[at] !== '"'; at++) {
    if (mediaType[at] === '\\') at++;
    value += mediaType[at] ?? '';
  }
  return [value, at];
}

/**
 * Returns which of several declared media types with one type and subtype a content type has: the one with the most of
 * its parameters (RFC 9110, section 8.3.1), or else the first that it does not contradict; `undefined` if it contradicts
 * all of them. The only one is always it, because its parameters distinguish it from no other. A `charset` contradicts
 * nothing: it only says how the text is decoded.
 */
export function selectByParameters(
  declared: readonly string[],
  contentType: string,
): string | undefined {
  if (declared.length < 2) return declared[0];
  const actual = parametersOf(contentType);
  let best: string | undefined;
  let most = -Infinity;
  for (const candidate of declared) {
    let matches = 0;
    let isMissing = false;
    let isOther = false;
    for (const [name, value] of parametersOf(candidate)) {
      if (actual.get(name) === value) matches++;
      else if (name === 'charset' || !actual.has(name)) isMissing = true;
      else isOther = true;
    }
    const rank = isMissing ? -1 : matches;
    if (isOther || rank <= most) continue;
    best = candidate;
    most = rank;
  }
  return best;
}

/** What a `Blob` is made of. Its name in the types of browsers is unknown to those of Node. */
export type BlobPieces = NonNullable<ConstructorParameters<typeof Blob>[0]>;

/** The bytes that are allocated for the second chunk. */
const secondCapacity = 4096;

/**
 * Collects chunks of bytes. Copies their bytes and keeps no chunk, so that it needs memory of the order of the bytes,
 * however short the chunks are, and whatever block of memory each of them is a part of.
 */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #length = 0;

  /** The number of collected bytes. */
  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const start = this.#length;
    this.#length += chunk.length;
    if (this.#length > this.#bytes.length) {
      // A first chunk is often the only one. Doubling copies each byte a limited number of times.
      const capacity = start === 0 ? 0 : Math.max(2 * this.#bytes.length, secondCapacity);
      const bytes = new Uint8Array(Math.max(capacity, this.#length));
      bytes.set(this.#bytes.subarray(0, start));
      this.#bytes = bytes;
    }
    this.#bytes.set(chunk, start);
  }

  /** Returns the collected bytes in a separate buffer, and starts again without any. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes;
    const taken = this.#length === bytes.length ? bytes : bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return taken;
  }
}

/** What can be shown of an error. It contains no message, because messages can contain secrets and personal data. */
export interface FailureDescription {
  /** The class of the error and its code, followed by those of its causes, such as `TypeError, caused by Error [EPIPE]`. */
  readonly name: string;
  /** The first frame of the stack that is not in the runtime's own code. */
  readonly frame: string | undefined;
}

/** Maximum number of errors to describe: an error, its cause, and the cause of that. */
const maxErrors = 3;

/** Maximum number of characters of a frame. */
const maxFrameLength = 300;

/** Describes what was thrown, which can be any value. Never throws. */
export function describeFailure(thrown: unknown): FailureDescription {
  const names: string[] = [];
  let error = thrown;
  do {
    names.push(nameOf(error));
    error = memberOf(error, 'cause');
  } while (error !== undefined && names.length < maxErrors);
  return { name: names.join(', caused by '), frame: firstFrame(thrown) };
}

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null)
    return `a thrown ${error === null ? 'null' : typeof error}`;
  const ofClass = textOf(memberOf(error, 'constructor'), 'name', identifier);
  const ofError = textOf(error, 'name', identifier);
  // The class can say less than the error, or a bundler can have shortened it.
  const name = [ofClass, ofError].find((text) => text.length > 2 && text !== 'Error');
  const code = textOf(error, 'code', /^[\w.:-]{1,64}$/);
  return (name ?? (ofClass || ofError || 'object')) + (code && ` [${code}]`);
}

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]{0,63}$/u;

/** Returns a member that is an integer or a text and matches the pattern; otherwise the empty text. */
function textOf(value: unknown, name: string, pattern: RegExp): string {
  const member = memberOf(value, name);
  const text = typeof member === 'string' || Number.isSafeInteger(member) ? String(member) : '';
  return pattern.test(text) ? text : '';
}

/** Returns a member of any value; `undefined` where it has none, or reading it fails. */
function memberOf(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}

/**
 * Returns the first frame of the stack outside of the runtime. A stack begins with class and message, and a message can
 * contain lines that look like frames. Returns `undefined` where the end of the message is not certain.
 */
function firstFrame(error: unknown): string | undefined {
  const stack = memberOf(error, 'stack');
  const message = memberOf(error, 'message');
  if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
  // A class, and in errors of Node the code.
  const [head = ''] = /^[\p{L}\p{N}_$.]+(?: \[[\w.:-]+\])?(?:: )?/u.exec(stack) ?? [];
  if (head.endsWith(': ') === (message === '') || !stack.startsWith(message, head.length))
    return undefined;
  const start = head.length + message.length;
  const [frames = ''] = /^(?:\n +at .+)+/.exec(stack.slice(start, start + 4096)) ?? [];
  const outsideOfRuntime = /^ +at (?!(?:.*\()?(?:async )?(?:node|ext|bun|native):)(.+:\d+\)?)$/m;
  const [, frame] = outsideOfRuntime.exec(frames) ?? / at (.+)/.exec(frames) ?? [];
  return frame?.slice(0, maxFrameLength).replaceAll(/\p{C}/gu, '?');
}

/** A failure without a listener. */
interface UnheardFailure {
  /** The code of the warning, such as `COUNTERSIGN_HANDLER_FAILED`. */
  readonly code: string;
  /** What failed. It contains no data. */
  readonly message: string;
  /** What follows from the failure, and what to do. */
  readonly help: string;
  /** What was thrown; `undefined` where nothing was. Of this, only class, code and a frame of the stack are shown. */
  readonly error?: unknown;
}

/** Reports a failure as a process warning, once for each cause. Never throws. */
export type WarnOfFailure = (failure: UnheardFailure) => void;

/** Maximum number of causes to report. An error can have any class and code, such as one that a sender chose. */
const maxCauses = 100;

/**
 * Creates the function that reports failures without a listener. A cause is the code, the message, and the class, code
 * and first frame of the error. Numbers in a JSON pointer make no other cause.
 */
export function createFailureWarnings(): WarnOfFailure {
  const causes = new Set<string>();
  return ({ code, message, help, error }) => {
    if (causes.size === maxCauses) return;
    const { name, frame } = describeFailure(error);
    const text = error === undefined ? message : `${message}: ${name}`;
    const at = frame === undefined ? '' : `    at ${frame}\n`;
    const cause = [code, text.replaceAll(/\/\d+/gu, '/0'), at].join('\n');
    if (causes.has(cause)) return;
    causes.add(cause);
    const end = causes.size < maxCauses ? '' : '\nNo further cause is reported.';
    const detail = at + help + end;
    const { process } = globalThis as {
      readonly process?: { emitWarning(text: string, options: object): void };
    };
    try {
      if (process === undefined) throw new TypeError('no process');
      process.emitWarning(text, { code, detail });
    } catch {
      // Platforms without process warnings, such as Workers and browsers, log the console instead.
      // oxlint-disable-next-line no-console -- the only log of such a platform
      console.warn(`[${code}] Warning: ${text}\n${detail}`);
    }
  };
}

/**
 * What senders call where a proxy or a gateway changes the URL: what is before the path that arrives at the
 * application, such as `https://example.com/api` where a proxy removes `/api`. With two members, `called` replaces the
 * beginning `received` of that path, such as `/stage` of an API gateway.
 */
export type PublicUrl =
  | string
  | {
      /** The beginning of the path that arrives, not decoded. */
      readonly received: string;
      /** What senders call instead: an origin, an origin and a path, or only a path where the host is not signed. */
      readonly called: string;
    };

/** Converts received URLs to those that senders call. */
export interface UrlMapping {
  /** Whether the result is an absolute URL. */
  readonly hasHost: boolean;
  /** Whether the result has another path. */
  readonly changesPath: boolean;
  /** Converts a path and query as received, or an absolute URL. Another path than `received` stays as it is. */
  readonly map: (url: string) => string;
}

/** Creates a mapping. Returns `undefined` for a value that is neither an origin, a path nor both. */
export function createUrlMapping(publicUrl: PublicUrl): UrlMapping | undefined {
  const { received, called } =
    typeof publicUrl === 'string' ? { received: '', called: publicUrl } : publicUrl;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  const [, origin = '', to] =
    /^(https?:\/\/[!"$-.0->A-~]+)?((?:\/[!"$->@-~]*)?)$/iu.exec(called ?? '') ?? [];
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (to === undefined || origin + to === '' || !/^(?:\/[!"$->@-~]*)?$/u.test(received ?? '?'))
    return undefined;
  const from = withoutSlash(received);
  const prefix = origin + withoutSlash(to);
  return {
    hasHost: origin !== '',
    changesPath: from !== withoutSlash(to),
    map(url) {
      const target = url.replace(/^https?:\/\/[^/?]+/iu, '');
      const rest = target.startsWith(from) ? target.slice(from.length) : target;
      if (from !== '' && rest !== '' && !/^[/?]/u.test(rest)) return origin + target;
      if (from !== '' && rest === target) return origin + target;
      // The path of a URL is never empty.
      return rest.startsWith('/') || prefix !== origin ? prefix + rest : `${prefix}/${rest}`;
    },
  };
}

/**
 * Creates the mapping for a signature. Returns a text that continues the name of the option where its value is not
 * valid, lacks the signed host, or has no effect on what is signed.
 * @param over the signed parts, such as `$url.path`
 */
export function createSignedUrlMapping(
  publicUrl: PublicUrl,
  over: readonly unknown[],
): UrlMapping | string {
  const mapping = createUrlMapping(publicUrl);
  if (mapping === undefined)
    return 'must be an address or a path without query, such as https://example.com/api, or `{ received, called }`';
  if (over.includes('$url') || over.includes('$url.host+path'))
    return mapping.hasHost
      ? mapping
      : 'must begin with https:// or http://, because the signature covers the host';
  if (!(over.includes('$url.path') || over.includes('$url.path+query')))
    return 'has no effect, because the signature covers no part of the URL';
  if (!mapping.changesPath) return 'has no effect, because it does not change the signed path';
  return mapping;
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** A key of `node:crypto`, which does not expose its bytes. */
interface NodeKey {
  readonly type: string;
}

interface NodeHmac {
  /** The encoding is that of texts. */
  update(data: string | Uint8Array, encoding: 'latin1'): void;
  digest(encoding: 'base64' | 'base64url' | 'hex'): string;
}

/** What keys and signatures need of `node:crypto`. */
interface NodeCrypto {
  /** Absent before Node 20.12, and on platforms that imitate an older Node. */
  readonly hash?: (
    algorithm: string,
    data: string | Uint8Array,
    encoding: 'base64' | 'base64url' | 'hex' | 'latin1',
  ) => string;
  readonly timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean;
  readonly createHmac: (algorithm: string, key: Uint8Array) => NodeHmac;
  readonly createPrivateKey: (key: object) => NodeKey;
  readonly createPublicKey: (key: object) => NodeKey;
  readonly sign: (algorithm: string | null, data: Uint8Array, key: object) => Uint8Array;
  readonly verify: (
    algorithm: string | null,
    data: Uint8Array,
    key: object,
    signature: Uint8Array,
  ) => boolean;
  readonly constants: {
    readonly RSA_PKCS1_PADDING: number;
    readonly RSA_PKCS1_PSS_PADDING: number;
  };
}

/** Bytes that texts are written into, as `Buffer` of `node:buffer`. */
interface NodeBytes extends Uint8Array<ArrayBuffer> {
  write(text: string, encoding: 'utf8' | 'latin1'): number;
  write(text: string, offset: number, encoding: 'latin1'): number;
}

interface NodeBuffer {
  readonly Buffer: {
    readonly alloc: (length: number) => NodeBytes;
    readonly allocUnsafeSlow: (length: number) => NodeBytes;
  };
}

interface NodeNet {
  readonly isIP: (text: string) => number;
  readonly BlockList: new () => {
    readonly addAddress: (address: string, family: string) => void;
    readonly addSubnet: (address: string, bits: number, family: string) => void;
    readonly check: (address: string, family: string) => boolean;
  };
}

/** The modules of Node that the runtime uses, by their names. Their types need no package with the types of Node. */
export interface NodeModules {
  readonly 'node:buffer': NodeBuffer;
  readonly 'node:crypto': NodeCrypto;
  readonly 'node:net': NodeNet;
  /** What an inbox uses, which has the types of Node. */
  readonly 'node:sqlite': object;
}

/**
 * Returns a module of Node, or `undefined` if the platform lacks it: browsers, most Workers, and Node before 20.16. No
 * file imports such a module, so that the same file loads everywhere.
 */
export function builtinModule<Name extends keyof NodeModules>(
  name: Name,
): NodeModules[Name] | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}
