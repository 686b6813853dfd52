import type { DeliveryResponse, DeliveryRequest } from '../tools/send/sending.ts';
import { type Paint, printable } from '../diagnostics/paint.ts';

/** A delivery and its response. */
export interface Exchange {
  readonly event: string;
  readonly example: string | undefined;
  readonly isSigned: boolean;
  /** The expressions of `x-dedupe-by` where the contract states an identity, and the delivery repeats an example's. */
  readonly identity: readonly string[];
  readonly sent: DeliveryRequest;
  readonly answer: DeliveryResponse;
  /** Replaces secrets in text of the response. */
  readonly redact: (text: string) => string;
}

/** The response headers that are shown: those that help to interpret a response. */
const shownHeaders = [
  'content-type',
  'allow',
  'location',
  'retry-after',
  'www-authenticate',
] as const;

/** The number of characters of a response body that are shown. */
const maxShownCharacters = 4_096;

/** Describes a delivery and its response as text for the terminal, without secrets. */
export function describeExchange(exchange: Exchange, paint: Paint): string {
  const { event, example, isSigned, identity, sent, answer, redact } = exchange;
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const said = answer.statusText === '' ? '' : ` ${answer.statusText}`;
  const facts = [`${sent.body.length} bytes`, ...(isSigned ? ['signed'] : [])];
  const lines = [
    `${paint('bold', 'sent')}      ${printable(event)}${example === undefined ? '' : ` (${printable(example)})`}, ${facts.join(', ')}`,
    `          ${sent.method} ${shownUrl(sent.url)}`,
    `${paint(isSuccess ? 'green' : 'red', 'answered')}  ${answer.status}${printable(redact(said))} in ${Math.round(answer.duration)} ms`,
    ...shownHeaders.flatMap((name) => {
      const value = answer.headers[name];
      return value === undefined ? [] : [`          ${name}: ${printable(redact(value))}`];
    }),
  ];
  const { text, isCut } = shownBody(exchange);
  if (text !== '')
    lines.push(
      '',
      ...text.split(/\r\n|\n|\r/u).map((line) => printable(line.replaceAll('\t', '  '))),
    );
  if (isCut) lines.push(paint('dim', '… (the response is longer)'));
  if (identity.length > 0)
    lines.push(
      paint(
        'dim',
        `Sent again, this is the same event for a receiver that deduplicates (by ${printable(identity.join(', '))}). Give other values with --data.`,
      ),
    );
  return `${lines.join('\n')}\n`;
}

/** Returns a delivery and its response as data for `--json`, without secrets. */
export function toExchangeData(exchange: Exchange): object {
  const { event, example, isSigned, identity, sent, answer, redact } = exchange;
  const { text, isCut } = shownBody(exchange);
  return {
    event,
    example,
    ...(identity.length === 0 ? {} : { identity }),
    request: {
      method: sent.method,
      url: shownUrl(sent.url),
      bytes: sent.body.length,
      signed: isSigned,
    },
    response: {
      status: answer.status,
      statusText: redact(answer.statusText),
      headers: Object.fromEntries(
        shownHeaders.flatMap((name) => {
          const value = answer.headers[name];
          return value === undefined ? [] : [[name, redact(value)] as const];
        }),
      ),
      body: text,
      cut: isCut,
      milliseconds: Math.round(answer.duration),
    },
  };
}

function shownBody({ answer, redact }: Exchange): {
  readonly text: string;
  readonly isCut: boolean;
} {
  // Secrets are redacted before the text is cut: a cut could leave half of one.
  const text = redact(new TextDecoder().decode(answer.body)).trimEnd();
  return {
    text: text.slice(0, maxShownCharacters),
    isCut: answer.isCut || text.length > maxShownCharacters,
  };
}

/** Formats a URL with the names of its query parameters only, because their values can be secrets. */
function shownUrl({ origin, pathname, searchParams }: URL): string {
  const names = [...new Set(searchParams.keys())].map((name) => `${encodeURIComponent(name)}=…`);
  return `${origin}${pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`;
}
