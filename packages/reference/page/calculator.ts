import {
  type SignableRequest,
  type SignatureScheme,
  SigningError,
  type TimestampFormat,
  createSigner,
  parseTimestamp,
  writeTimestamp,
} from '@countersign/runtime/signing';
import { checkedCore } from '../../runtime/signing/checked.ts';
import {
  type SignedInput,
  compileSignedInput,
  encodeBytes,
  toKeyBytes,
  toParts,
} from '../../runtime/signing/core.ts';

interface Question {
  readonly id: string;
  readonly choices: readonly { readonly name: string; readonly value: unknown }[];
  readonly chosen: string;
}

/** The data of a signature in the page. Values that the contract leaves open are `{ unstated: id }`. */
interface Described {
  readonly header: string;
  readonly signature: Omit<SignatureScheme, 'header'>;
  readonly questions: readonly Question[];
  readonly sample: { readonly method: string; readonly url: string; readonly body: string };
}

/** The initial time in milliseconds, fixed so that every reader sees the same values. */
const instant = Date.UTC(2026, 0, 31, 12);

/** Starts the forms that compute signatures from their fields, with the code of clients and receivers. */
export function startCalculators(): void {
  for (const root of document.querySelectorAll<HTMLElement>('[data-calculator]'))
    new Calculator(root).start();
}

class Calculator {
  readonly #root: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #described: Described;
  /** Fields of headers by name, in lower case. */
  readonly #headers = new Map<string, HTMLInputElement>();
  #writtenTimestamp = '';
  #run = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#form = this.#find('form');
    this.#described = JSON.parse(this.#find('script').textContent) as Described;
  }

  start(): void {
    const { sample } = this.#described;
    this.#field('key').value = 'a secret';
    this.#field('method').value = sample.method;
    this.#field('url').value = sample.url;
    this.#field('body').value = sample.body;
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    this.#form.addEventListener('input', () => void this.#compute());
    void this.#compute();
  }

  async #compute(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    try {
      const scheme = this.#scheme();
      const toInput = compileSignedInput(scheme, checkedCore);
      this.#showHeaders(scheme);
      const request = this.#request();
      const timestamp = this.#timestamp(scheme);
      const key = this.#field('key').value;
      const clock =
        timestamp === undefined
          ? instant
          : toInstant(timestamp, scheme.timestamp?.format ?? 'iso-8601');
      const headers = await createSigner(scheme, { key, clock: () => clock }).sign(request);
      if (run !== this.#run) return;
      const pieces = toPieces(toInput(request, timestamp ?? ''));
      this.#showBytes(pieces);
      const lines = [
        ...[...this.#headers].flatMap(([name, { value }]) =>
          scheme.timestamp?.header === undefined && name === 'timestamp'
            ? []
            : [`${name}: ${value}`],
        ),
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ];
      this.#find('[data-output]').textContent = lines.join('\n');
      this.#showCommand(scheme, pieces);
      this.#say(undefined);
    } catch (error) {
      if (run === this.#run) this.#say(toText(error));
    }
  }

  /** Returns the scheme, with the answers that the form has for open questions. */
  #scheme(): SignatureScheme {
    const answer = (_: string, value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || !('unstated' in value)) return value;
      const question = this.#described.questions.find(({ id }) => id === value.unstated);
      const select = [
        ...this.#form.querySelectorAll<HTMLSelectElement>('select[data-question]'),
      ].find((candidate) => candidate.dataset['question'] === question?.id);
      const chosen = select?.value ?? question?.chosen;
      return question?.choices.find(({ name }) => name === chosen)?.value;
    };
    const { signature, header } = this.#described;
    const stated = JSON.stringify({ ...signature, header });
    const scheme = JSON.parse(stated, answer) as SignatureScheme;
    // The page signs, and does not verify a timestamp.
    return scheme.timestamp === undefined
      ? scheme
      : { ...scheme, timestamp: { ...scheme.timestamp, tolerance: 300 } };
  }

  /** Adds and removes fields, so that every signed header and the timestamp has one. */
  #showHeaders(scheme: SignatureScheme): void {
    const { timestamp } = scheme;
    const wanted = new Map<string, string>();
    for (const { kind, text } of toParts(scheme))
      if (kind === 'header') wanted.set(text, `test-${text}`);
    const stamp = timestamp && writeTimestamp(instant, timestamp.format);
    if (stamp !== undefined) wanted.set(timestamp?.header?.toLowerCase() ?? 'timestamp', stamp);
    const container = this.#find('[data-headers]');
    for (const [name, field] of this.#headers) {
      if (wanted.has(name)) continue;
      field.closest('label')?.remove();
      this.#headers.delete(name);
    }
    for (const [name, value] of wanted) {
      const existingField = this.#headers.get(name);
      if (existingField === undefined) {
        const label = document.createElement('label');
        label.className = 'field';
        const title = document.createElement('span');
        title.textContent = name;
        const field = document.createElement('input');
        field.autocomplete = 'off';
        field.spellcheck = false;
        field.name = `header ${name}`;
        field.value = value;
        label.append(title, field);
        container.append(label);
        this.#headers.set(name, field);
      } else if (value === stamp && existingField.value === this.#writtenTimestamp) {
        existingField.value = value;
      }
    }
    this.#writtenTimestamp = stamp ?? '';
  }

  #request(): SignableRequest {
    return {
      method: this.#field('method').value,
      url: this.#field('url').value,
      headers: (name) => {
        const field = this.#headers.get(name);
        return field === undefined || name === 'timestamp' ? [] : [field.value];
      },
      body: new TextEncoder().encode(this.#field('body').value),
    };
  }

  #timestamp({ timestamp }: SignatureScheme): string | undefined {
    if (timestamp === undefined) return undefined;
    return this.#headers.get(timestamp.header?.toLowerCase() ?? 'timestamp')?.value;
  }

  /** Shows the bytes, each part in the colour of its line above. Invisible characters are shown as escapes. */
  #showBytes(pieces: readonly Uint8Array[]): void {
    const shown = pieces.map((bytes, index) => {
      const span = document.createElement('span');
      span.className = `part-${index % 6}`;
      span.textContent = readable(bytes);
      return span;
    });
    this.#find('[data-bytes]').replaceChildren(...shown);
    const length = pieces.reduce((sum, bytes) => sum + bytes.length, 0);
    this.#find('[data-length]').textContent = `${length} bytes`;
  }

  #showCommand({ algorithm, key, encoding }: SignatureScheme, pieces: readonly Uint8Array[]): void {
    const input = encodeBytes(Uint8Array.from(pieces.flatMap((bytes) => [...bytes])), 'base64');
    const hex = encodeBytes(toKeyBytes(this.#field('key').value, key, checkedCore), 'hex');
    const write = {
      hex: "od -An -tx1 | tr -d ' \\n'",
      base64: 'base64 -w0',
      base64url: "base64 -w0 | tr '+/' '-_' | tr -d '='",
    }[encoding];
    this.#find('[data-openssl]').textContent =
      `printf %s '${input}' |\n  base64 -d |\n  openssl dgst -${algorithm.replace('hmac-', '')} -mac HMAC -macopt hexkey:${hex} -binary |\n  ${write}`;
  }

  #say(problem: string | undefined): void {
    const place = this.#find('[data-problem]');
    place.hidden = problem === undefined;
    place.textContent = problem ?? '';
    this.#find('[data-result]').hidden = problem !== undefined;
  }

  #field(name: string): HTMLInputElement | HTMLTextAreaElement {
    return this.#find(`[name="${name}"]`);
  }

  #find<T extends HTMLElement>(selector: string): T {
    const element = this.#root.querySelector<T>(selector);
    if (element === null) throw new TypeError(`The page has no ${selector}.`);
    return element;
  }
}

/** Returns the signed bytes, one piece for each part of the scheme. */
function toPieces(input: SignedInput): readonly Uint8Array[] {
  if ('reason' in input) return [];
  return input.map((piece) =>
    typeof piece === 'string'
      ? Uint8Array.from(piece, (character) => character.charCodeAt(0))
      : piece,
  );
}

function toInstant(text: string, format: TimestampFormat): number {
  if (typeof format === 'object') return parseTimestamp(text, format);
  if (format.startsWith('iso')) return Date.parse(text);
  return format === 'unix-seconds' ? 1000 * Number(text) : Number(text);
}

function readable(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
      character === '\n'
        ? '\\n'
        : String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function toText(error: unknown): string {
  if (!globalThis.isSecureContext) {
    return 'Browsers compute signatures only in pages that come from this machine or by HTTPS.';
  }
  if (error instanceof SigningError) return error.message;
  return `It cannot be computed: ${error instanceof Error ? error.message : String(error)}`;
}
