import { randomInt } from 'node:crypto';
import type { EventIdentity, TlsIdentity } from '@countersign/simulator/sending';
import type { Contract, Example, Notification } from '../contract/contract.ts';
import { labelParameters, toDelivery } from '../contract/delivery.ts';
import { optional, type Json } from '../json/json.ts';
import { type OpenIdentity, readIdentity, toOtherEvent } from '../tools/send/other-event.ts';
import {
  chooseAddress,
  type DeliveryRequest,
  exchange,
  importSending,
} from '../tools/send/sending.ts';
import { carrySecret, secretToCarry } from '../tools/send/carry-secret.ts';
import { signDelivery, statedScheme, type Signing } from '../tools/send/sign-delivery.ts';
import type { Invocation } from './command.ts';
import { CommandError, toCommandError } from '../tools/command-error.ts';
import {
  describeExchange,
  toExchangeData,
  type Exchange,
  type SentIdentity,
} from './describe-exchange.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';
import { readOneContract } from './one-contract.ts';
import { readAnswers } from './read-answers.ts';
import { readSecret, readSendOptions, type SendOptions } from './send-options.ts';
import { readTlsFiles } from './tls-files.ts';

type MergeJson = (value: Json | undefined, overrides: Json) => Json;

/** Writes data as a form or a query. */
type EncodeForm = (value: Json) => string;

/** Returns the identity of a delivery, or what its body has of it. */
type ReadIdentity<Identity = unknown> = (
  event: EventIdentity,
  value: Json,
  headers?: readonly (readonly [name: string, value: string])[],
) => Identity | undefined;

/**
 * Delivers one example of a notification to an endpoint and reports the response. Where the contract states what
 * identifies an event, each delivery is another event, unless the caller gives its identity.
 */
export async function sendToEndpoint(invocation: Invocation): Promise<ExitCode> {
  const options = await readSendOptions(invocation);
  const tls = await readTlsFiles(invocation);
  const { contract, loaded } = await readOneContract(invocation);
  const notification = findNotification(contract, invocation.values[0] ?? '');
  const { encodeForm, possibleSecrets, Redactor, toClientCert, withPathSecret } =
    await importSending();
  const certificate = tls.certificate && (await checkCertificate(tls.certificate));
  const answers = readAnswers(invocation.options['answer'], contract);
  const example = chooseExample(notification, options);
  const identity = readIdentity(contract, notification, answers);
  const content = await composeContent(contract, notification, options, identity, example?.value);
  const isInPath = hasPathSecret(contract, notification);
  const to =
    options.pathSecret === undefined ? options.to : withPathSecret(options.to, options.pathSecret);
  if (to === undefined)
    throw new CommandError(
      'usage',
      'The secret of --path-secret-env must be one segment of a path: without `/` and `\\`, and not `.` or `..`.',
    );
  const composed = composeRequest(
    notification,
    { ...options, to },
    content,
    encodeForm as EncodeForm,
  );
  const signing = chooseSigning(contract, notification, options, invocation, answers);
  const carried =
    signing !== undefined || options.signature === false
      ? undefined
      : secretToCarry(contract, notification, composed);
  const secret = carried && readSecret(invocation.terminal.environment, options.secretVariable);
  const request =
    carried === undefined || secret === undefined
      ? composed
      : carrySecret(composed, carried, secret);
  const address = await chooseAddress(options.to, options.allowsRemote);
  const { headers: signed, signedUrl } =
    signing === undefined ? { headers: {} } : await signDelivery(contract, request, signing);
  // Without TLS, the command stands for the proxy in front of the receiver.
  const proven =
    certificate !== undefined && options.to.protocol === 'http:'
      ? { 'client-cert': toClientCert(certificate) }
      : {};
  const sent = { ...request, headers: { ...request.headers, ...proven, ...signed } };
  const answer = await exchange(sent, address, options.timeoutMs, {
    ...tls,
    ...optional('certificate', certificate),
    expectsCertificate: isCertificateStated(contract, notification),
  });
  const secrets = [
    ...options.secrets,
    ...Object.values(signed),
    // Of HTTP Basic, a response can repeat the password alone.
    ...(secret === undefined ? [] : [secret, secret.replace(/^[^:]*:/u, '')]),
    // Where the caller writes the secret into --to, any segment can be it. Shorter ones would match other text.
    ...(isInPath && options.pathSecret === undefined
      ? possibleSecrets(options.to).filter((segment) => segment.length > 3)
      : []),
  ];
  const shown: Exchange = {
    event: notification.name,
    example: example?.name,
    isSigned: signing !== undefined,
    identity: content.identity,
    sent,
    signedUrl,
    answer,
    redact: new Redactor(signing === undefined ? secrets : [...secrets, signing.key], 1).redact,
  };
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const result: Result = {
    exitCode: isSuccess ? exitCodes.ok : exitCodes.problems,
    data: toExchangeData(shown),
    describe: (paint) =>
      invocation.flags.quiet && isSuccess ? '' : describeExchange(shown, paint),
  };
  return await showResults([result], invocation, loaded.file);
}

/** @throws CommandError `invalid-option` for a certificate and a key that cannot be read, or do not belong together */
async function checkCertificate(given: TlsIdentity): Promise<TlsIdentity> {
  const { checkIdentity } = await importSending();
  try {
    return checkIdentity(given);
  } catch (error) {
    throw toCommandError(error, ['invalid-option']);
  }
}

/** Returns whether the contract states that a secret in the path authenticates a notification. */
function hasPathSecret({ security }: Contract, notification: Notification): boolean {
  const stated = new Set(notification.security.flat().map(({ scheme }) => scheme));
  return security.some(({ id, in: place }) => place === 'path' && stated.has(id));
}

/** Returns whether the contract states that a client certificate authenticates a notification. */
function isCertificateStated({ security }: Contract, notification: Notification): boolean {
  const certificates = security.filter(({ type }) => type === 'mutualTLS');
  return statedScheme(notification, certificates) !== undefined;
}

function findNotification({ notifications }: Contract, event: string): Notification {
  const notification = notifications.find(({ name, id }) => name === event || id === event);
  if (notification !== undefined) return notification;
  const names = notifications.map(({ name }) => name);
  throw createUnknownNameError('notification', event, names);
}

function chooseExample(
  { name, examples }: Notification,
  { example: asked, data }: SendOptions,
): Example | undefined {
  const example =
    asked === undefined ? examples[0] : examples.find((candidate) => candidate.name === asked);
  if (asked !== undefined && example === undefined) {
    const names = examples.map((candidate) => candidate.name);
    throw createUnknownNameError(`example of ${name}`, asked, names);
  }
  if (example === undefined && data === undefined)
    throw new CommandError(
      'usage',
      `${name} has no example. Give its body with --data, as JSON or @file.`,
    );
  return example;
}

/** The content of a delivery. */
interface Content {
  readonly body: Json;
  /** Headers that identify the event, beside those of the contract and of the options. */
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: SentIdentity;
}

/** Makes the content of the example and of `--data`, as another event if the contract states what identifies one. */
async function composeContent(
  contract: Contract,
  notification: Notification,
  { data, headers: optionHeaders }: SendOptions,
  identity: EventIdentity | OpenIdentity,
  example: Json | undefined,
): Promise<Content> {
  const sending = await importSending();
  const { mergeJson, parseExactly, createRandom } = sending;
  // The types of both packages differ only in absent members: examples and parsed JSON have none.
  const merge = mergeJson as MergeJson;
  const members = data === undefined ? undefined : (parseExactly(data) as Json);
  const complete = (base: Json | undefined): Json =>
    members === undefined ? (base ?? {}) : merge(base, members);
  const plain = complete(example);
  if ('question' in identity) return { body: plain, headers: {}, identity };
  const bodyIdentity = sending.bodyIdentity as ReadIdentity;
  const identityOf = sending.identityOf as ReadIdentity<string>;
  const random = createRandom(randomInt(2 ** 31));
  const constant = toDelivery(notification).headers;
  const headers = Object.fromEntries(
    sending
      .identifyingHeaders(identity)
      .filter((name) => !Object.hasOwn(optionHeaders, name) && !Object.hasOwn(constant, name))
      .map((name) => [name, random.uuid()]),
  );
  // What the caller gives of an identity is sent as it is, with the rest of the example.
  const isGiven = members !== undefined && bodyIdentity(identity, members) !== undefined;
  const isInBody = example !== undefined && bodyIdentity(identity, example) !== undefined;
  const body =
    isGiven || !isInBody
      ? plain
      : complete(await toOtherEvent(contract, notification, identity, example, random));
  const before = identityOf(identity, plain, Object.entries(optionHeaders));
  const after = identityOf(identity, body, Object.entries({ ...optionHeaders, ...headers }));
  const { expressions } = identity;
  return { body, headers, identity: { expressions, isFresh: before !== after } };
}

function composeRequest(
  notification: Notification,
  { to, appendsLabel, parameters, headers }: SendOptions,
  { body, headers: identifying }: Content,
  encodeForm: EncodeForm,
): DeliveryRequest {
  const labelNames = labelParameters(notification);
  for (const name of parameters.keys()) {
    if (!appendsLabel)
      throw new CommandError(
        'usage',
        '--parameter requires --append-label, because only the label has parameters.',
      );
    chooseName('parameter of the label', name, labelNames);
  }
  const delivery = toDelivery(notification, (name) => parameters.get(name));
  const url = new URL(to);
  if (appendsLabel) url.pathname = url.pathname.replace(/\/$/u, '') + delivery.path;
  const { encoding } = notification;
  const text = encoding === undefined ? JSON.stringify(body) : encodeForm(body);
  if (encoding === 'query') url.search = [url.search.slice(1), text].filter(Boolean).join('&');
  return {
    url,
    method: delivery.method,
    headers: { ...delivery.headers, ...identifying, ...headers },
    body: new TextEncoder().encode(encoding === 'query' ? '' : text),
  };
}

/** Returns the signing that the options select, or else the one that the contract states for the notification. */
function chooseSigning(
  contract: Contract,
  notification: Notification,
  { signature: chosen, secretVariable, publicUrl }: SendOptions,
  { terminal }: Invocation,
  answers: ReadonlyMap<string, string>,
): Signing | undefined {
  const unsigned = (): undefined => {
    if (publicUrl === undefined) return undefined;
    throw new CommandError(
      'usage',
      '--public-url has no effect, because the delivery is not signed.',
    );
  };
  if (chosen === false) return unsigned();
  const schemes = contract.security.filter(({ signature }) => signature !== undefined);
  const names = schemes.map(({ id }) => id);
  const stated = statedScheme(notification, schemes);
  const [only, ...moreSchemes] = schemes;
  const security =
    typeof chosen === 'string'
      ? schemes.find(({ id }) => id === chosen)
      : (stated ?? (chosen === true && moreSchemes.length === 0 ? only : undefined));
  if (security === undefined) {
    if (chosen === undefined) return unsigned();
    if (typeof chosen === 'string') throw createUnknownNameError('signature', chosen, names);
    const hint = names.length === 0 ? 'The contract has none.' : `There are: ${names.join(', ')}.`;
    throw new CommandError('usage', `--signature requires the name of a signature. ${hint}`);
  }
  return {
    security,
    key: readSecret(terminal.environment, secretVariable),
    answers,
    publicUrl,
  };
}
