import type { SignedRequest } from '../sending/sign-request.ts';
import { type Paint, printable } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import type { DeliveryResponse } from './deliver.ts';
import type { DeliveryFindings } from './check-delivery.ts';
import type { OpenIdentity } from './accepted-event.ts';

/** What identifies the event that was sent: nothing where the contract declares nothing. */
export type SentIdentity =
  | {
      /** The expressions of `x-dedupe-by`. */
      readonly expressions: readonly string[];
      /** Whether the delivery has an identity that the example does not have. */
      readonly isOther: boolean;
      /** Whether no earlier delivery has this identity, in practice. */
      readonly isFresh: boolean;
      /** JSON Pointers of the members of the body that are not as in the example. */
      readonly changed: readonly string[];
      /** Those of them that are not part of the identity: their text was equal to it. */
      readonly following: readonly string[];
    }
  | OpenIdentity;

/** A delivery and its response. */
export interface Exchange {
  readonly event: string;
  readonly example: string | undefined;
  /** Whether the body is a sample of the schema in place of an example. */
  readonly isSample: boolean;
  readonly isSigned: boolean;
  readonly identity: SentIdentity;
  readonly sent: SignedRequest;
  readonly answer: DeliveryResponse;
  /** The success statuses that the contract states, if the answer is a success with another one. */
  readonly expectedStatuses?: readonly string[] | undefined;
  /** What a receiver of the contract makes of the delivery. */
  readonly findings: DeliveryFindings;
  /** What to compare if the receiver does not accept the proof of origin. It contains no secret. */
  readonly proof: string;
  /** Replaces secrets in URLs and in text of the response. */
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
  const { event, example, isSample, isSigned, identity, sent, answer, redact, expectedStatuses } =
    exchange;
  const { signedUrl } = sent;
  const { handlers = [] } = exchange.findings;
  const source = isSample ? 'a sample of its schema' : example;
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const said = answer.statusText === '' ? '' : ` ${answer.statusText}`;
  const facts = [`${sent.body.length} bytes`, ...(isSigned ? ['signed'] : [])];
  const lines = [
    `${paint('bold', 'sent')}      ${printable(event)}${source === undefined ? '' : ` (${printable(source)})`}, ${facts.join(', ')}`,
    `          ${sent.method} ${redact(shownUrl(sent.url))}`,
    ...(signedUrl === undefined ? [] : [`          signed for ${redact(shownTarget(signedUrl))}`]),
    ...handlers.flatMap(({ handler, events, why }) => [
      `${paint('bold', 'handler')}   ${printable(handler)}${events > 1 ? `, for ${events} events` : ''}`,
      `          ${printable(why)}`,
    ]),
    `${paint(isSuccess ? 'green' : 'red', 'answered')}  ${answer.status}${printable(redact(said))} in ${Math.round(answer.durationMs)} ms`,
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
  const note = describeIdentity(identity, isSample ? 'sample' : 'example');
  if (note !== undefined) lines.push(paint('dim', note));
  if (expectedStatuses !== undefined)
    lines.push(printable(`The contract states the status ${expectedStatuses.join(' or ')}.`));
  if (answer.status === 401) lines.push(printable(exchange.proof));
  return `${lines.join('\n')}\n`;
}

function describeIdentity(
  identity: SentIdentity,
  source: 'example' | 'sample',
): string | undefined {
  if ('question' in identity) {
    const { question, assumed } = identity;
    const holds = assumed === undefined ? '' : `, assumed: ${printable(assumed)}`;
    return `The contract leaves open what makes two deliveries the same event (${printable(question)}${holds}). The ${source} was sent as it is.`;
  }
  const { expressions, isOther, isFresh, following } = identity;
  if (expressions.length === 0) return undefined;
  const by = printable(expressions.join(', '));
  if (!isOther)
    return `Sent again, this is the same event for a receiver that deduplicates (by ${by}). Give other values with --data.`;
  const followed =
    following.length === 0
      ? ''
      : ` Changed with it, because its text was the same: ${printable(following.join(', '))}.`;
  return isFresh
    ? `Sent as another event than the ${source}, with a fresh identity (${by}).${followed} To repeat an event, give its identity.`
    : `Sent as another event than the ${source} (by ${by}).${followed} The contract accepts so few values there that an earlier event may have this one. Give other values with --data.`;
}

/** Returns a delivery and its response as data for `--json`, without secrets. */
export function toExchangeData(exchange: Exchange): object {
  const { event, example, isSample, isSigned, identity, sent, answer, redact } = exchange;
  const { signedUrl } = sent;
  const { text, isCut } = shownBody(exchange);
  return {
    event,
    example,
    ...(isSample ? { sample: true } : {}),
    ...exchange.findings,
    ...identityData(identity),
    request: {
      method: sent.method,
      url: redact(shownUrl(sent.url)),
      bytes: sent.body.length,
      signed: isSigned,
      ...(signedUrl === undefined ? {} : { signedUrl: redact(shownTarget(signedUrl)) }),
    },
    response: {
      status: answer.status,
      ...optional('expected', exchange.expectedStatuses),
      statusText: redact(answer.statusText),
      headers: Object.fromEntries(
        shownHeaders.flatMap((name) => {
          const value = answer.headers[name];
          return value === undefined ? [] : [[name, redact(value)] as const];
        }),
      ),
      body: text,
      cut: isCut,
      durationMs: Math.round(answer.durationMs),
    },
  };
}

function identityData(identity: SentIdentity): object {
  if ('question' in identity) {
    const { question, assumed } = identity;
    return { openIdentity: { question, ...(assumed === undefined ? {} : { assumed }) } };
  }
  const { expressions, isFresh, changed } = identity;
  return expressions.length === 0 ? {} : { identity: expressions, fresh: isFresh, changed };
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

/** Formats an absolute URL, or a path with its query, in the same way. */
function shownTarget(target: string): string {
  const base = 'http://path.invalid';
  const shown = shownUrl(new URL(target, base));
  return shown.startsWith(base) ? shown.slice(base.length) : shown;
}

/** Formats a URL with the names of its query parameters only, because their values can be secrets. */
function shownUrl({ origin, pathname, searchParams }: URL): string {
  const names = [...new Set(searchParams.keys())].map((name) => `${encodeURIComponent(name)}=…`);
  return `${origin}${pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`;
}
