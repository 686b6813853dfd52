import {
  labelParameters,
  type SecretProof,
  headersToGive,
  schemesBeside,
  sentAs,
  secretsBeside,
  signedSchemes,
  signingCredential,
  type SigningSchemes,
  statedSchemes,
  statedSignatures,
} from 'countersign/companion/deliveries';
import { chooseName, createUnknownNameError } from 'countersign/companion/options';
import { readSecret, toEnvironmentName } from 'countersign/companion/secrets';
import { CommandError, type Terminal, toCommandError } from 'countersign/companion/terminal';
import {
  type Contract,
  type Example,
  type Json,
  type Notification,
  type SecurityScheme,
  toMemberName,
} from 'countersign/kit';
import {
  composeRequest,
  dataQuery,
  encodeForm,
  labelPath,
  type UnsignedRequest,
} from '../sending/compose-request.ts';
import {
  bodyIdentity,
  type EventIdentity,
  identifyingHeaders,
  identifyingPlaces,
  identityOf,
} from '../sending/event-identity.ts';
import { parseExactly } from '../sending/exact-json.ts';
import { leavesOf, mergeJson, valueAt, writePointer } from '../sending/json-path.ts';
import type { Address } from '../sending/loopback.ts';
import { systemRandom } from '../sending/random.ts';
import { possibleSecrets, urlBelow, withPathSecret } from '../sending/receiver.ts';
import { Redactor } from '../sending/redact.ts';
import { signRequest } from '../sending/sign-request.ts';
import { checkIdentity, type TlsIdentity } from '../sending/tls-identity.ts';
import { type OpenIdentity, readIdentity, toOtherEvent } from './accepted-event.ts';
import { secretToCarry } from './carry-secret.ts';
import { chooseAddress } from './deliver.ts';
import { createProofs, type Signing } from './delivery-proofs.ts';
import type { Exchange, SentIdentity } from './describe-exchange.ts';
import type { EndpointOptions } from './send-options.ts';

/** What a delivery is made of, beside the options. */
export interface DeliverySource {
  readonly contract: Contract;
  /** The name or the id of the notification. */
  readonly event: string;
  /** The answers to open questions: the name of a choice by the id of the question. */
  readonly answers: ReadonlyMap<string, string>;
  /** The variables with keys. */
  readonly environment: Environment;
}

/** A delivery that is ready to be sent. */
export interface ComposedDelivery extends Omit<Exchange, 'answer' | 'findings' | 'proof'> {
  readonly notification: Notification;
  readonly address: Address;
  /** Whether the contract states that a client certificate authenticates the delivery. */
  readonly expectsCertificate: boolean;
  /** The body as a receiver parses it. */
  readonly received: Json;
  /** The variables with keys that sign the delivery, and with a secret that is in it. */
  readonly keyVariables: readonly string[];
  /** The headers with secrets that the contract states and the delivery does not have. */
  readonly lackingHeaders: readonly string[];
  /** Whether the signature covers the host, and no option says which one senders call. */
  readonly lacksPublicUrl: boolean;
}

type Environment = Terminal['environment'];

/**
 * Composes and signs one example of a notification. Where the contract states what identifies an event, each delivery is
 * another event, unless the caller gives its identity.
 * @throws CommandError `usage`; `missing-secret`, `not-signable`, `not-loopback`, `unknown-host`
 */
export async function composeDelivery(
  { contract, event, answers, environment }: DeliverySource,
  options: EndpointOptions,
): Promise<ComposedDelivery> {
  const notification = chooseRepresentation(findNotification(contract, event), options);
  const { authentication = {}, allowRemote = false } = options;
  const { pathSecret, publicUrl, clientCertificate, headers: secretHeaders } = authentication;
  const certificate = clientCertificate && checkCertificate(clientCertificate);
  const example = options.isSample ? undefined : chooseExample(notification, options);
  const base = options.isSample
    ? await (await import('./schema-sample.ts')).makeSchemaSample(contract, notification)
    : example?.value;
  const identity = readIdentity(contract, notification, answers);
  const content = await composeContent(contract, notification, options, identity, base);
  const stated = statedSchemes(contract, notification);
  const isInPath = stated.some((scheme) => scheme.in === 'path');
  const to = pathSecret === undefined ? options.to : withPathSecret(options.to, pathSecret);
  if (to === undefined)
    throw new CommandError(
      'usage',
      'The secret of --path-secret-env must be one segment of a path: without `/` and `\\`, and not `.` or `..`.',
    );
  const composed = tryTo(() => composeRequestOf(notification, { ...options, to }, content));
  const schemes = chooseSchemes(contract, notification, options);
  const signing = prepareSigning(schemes, options, environment);
  const carried =
    signing !== undefined || authentication.signature === false
      ? undefined
      : secretToCarry(secretsBeside(contract, notification, schemes), composed);
  const bodySignings = prepareBodySignings(contract, schemes, carried, options, environment);
  const secret = carried && readSecret(environment, options.keyVariable);
  const proofs = createProofs(contract, {
    signing,
    bodySignings,
    secret: carried && { proof: carried, value: secret ?? '' },
    certificate,
    answers,
    publicUrl,
  });
  const address = await chooseAddress(options.to, allowRemote);
  const sent = await signRequest(composed, proofs, false).catch((error: unknown) => {
    throw toCommandError(error);
  });
  const given = new Set(composed.headers.map(([name]) => name.toLowerCase()));
  const secrets = [
    ...Object.values(secretHeaders ?? {}),
    ...(pathSecret === undefined ? [] : [pathSecret]),
    // Values of up to 3 characters are hardly secrets, and redacting them would garble other text.
    ...Array.from(options.to.searchParams.values()).filter((value) => value.length > 3),
    ...sent.proofs,
    ...bodySignings.map(({ key }) => key),
    // Of HTTP Basic, a response can repeat the password alone.
    ...(secret === undefined ? [] : [secret, secret.replace(/^[^:]*:/u, '')]),
    // Where the caller writes the secret into --to, any segment can be it. Shorter ones would match other text.
    ...(isInPath && pathSecret === undefined
      ? possibleSecrets(options.to).filter((segment) => segment.length > 3)
      : []),
    ...(signing === undefined ? [] : [signing.key]),
  ];
  return {
    notification,
    address,
    expectsCertificate: stated.some(({ type }) => type === 'mutualTLS'),
    received: toJson(notification, sent, content),
    event: notification.name,
    example: example?.name,
    isSample: options.isSample,
    isSigned: signing !== undefined || bodySignings.length > 0,
    identity: content.identity,
    sent,
    keyVariables: [
      ...(signing === undefined && carried === undefined ? [] : [options.keyVariable]),
      ...bodySignings.map(({ variable }) => variable),
    ],
    lackingHeaders: headersToGive(contract, notification).filter(
      (name) => !given.has(name.toLowerCase()),
    ),
    lacksPublicUrl: publicUrl === undefined && proofs.signature?.coversHost === true,
    redact: new Redactor(secrets, 1).redact,
  };
}

/** @throws CommandError `invalid-option` for a certificate and a key that cannot be read, or do not belong together */
function checkCertificate(identity: TlsIdentity): TlsIdentity {
  try {
    return checkIdentity(identity);
  } catch (error) {
    throw toCommandError(error, ['invalid-option']);
  }
}

function findNotification({ notifications }: Contract, event: string): Notification {
  const notification = notifications.find(({ name, id }) => name === event || id === event);
  if (notification !== undefined) return notification;
  const names = notifications.map(({ name }) => name);
  throw createUnknownNameError('notification', event, names);
}

/** Returns a notification as it is sent in the media type that the options name. */
function chooseRepresentation(
  notification: Notification,
  { mediaType }: EndpointOptions,
): Notification {
  if (mediaType === undefined) return notification;
  const { name, readings } = notification;
  const reading = readings.find((one) => isSameMediaType(one.mediaType, mediaType));
  if (reading !== undefined) return sentAs(notification, reading);
  const types = readings.map((one) => one.mediaType).join(', ');
  throw new CommandError('usage', `--media-type requires a media type of ${name}: ${types}.`);
}

function isSameMediaType(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => text.replaceAll(/\s/gu, '').toLowerCase());
  return first === second;
}

function chooseExample(
  { name, examples }: Notification,
  { example: asked, data }: EndpointOptions,
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
      `${name} has no example. Send a sample of its schema with --sample, or give its body with --data, as JSON or @file.`,
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
  options: EndpointOptions,
  identity: EventIdentity | OpenIdentity,
  example: Json | undefined,
): Promise<Content> {
  const { data } = options;
  const optionHeaders = headersOf(options);
  const members = data === undefined ? undefined : parseExactly(data);
  const complete = (base: Json | undefined): Json =>
    members === undefined ? (base ?? {}) : mergeJson(base, members);
  const plain = complete(example);
  if ('question' in identity) return { body: plain, headers: {}, identity };
  const constant = notification.delivery.headers;
  const headers = Object.fromEntries(
    identifyingHeaders(identity)
      .filter((name) => !Object.hasOwn(optionHeaders, name) && !Object.hasOwn(constant, name))
      .map((name) => [name, systemRandom.uuid()]),
  );
  // What the caller gives of an identity is sent as it is, with the rest of the example.
  const isGiven = members !== undefined && bodyIdentity(identity, members) !== undefined;
  const isInBody = example !== undefined && bodyIdentity(identity, example) !== undefined;
  const other =
    isGiven || !isInBody
      ? undefined
      : await toOtherEvent(contract, notification, identity, example, systemRandom);
  const body = other === undefined ? plain : complete(other.value);
  const before = identityOf(identity, plain, Object.entries(optionHeaders));
  const after = identityOf(identity, body, Object.entries({ ...optionHeaders, ...headers }));
  const isOther = before !== after;
  const isOneOfFew = other?.identity === 'one-of-few' && Object.keys(headers).length === 0;
  return {
    body,
    headers,
    identity: {
      expressions: identity.expressions,
      isOther,
      isFresh: isOther && !isOneOfFew,
      ...describeChanges(identity, plain, body),
    },
  };
}

/** Returns the JSON Pointers of the changed members, and of those among them that are not part of the identity. */
function describeChanges(
  event: EventIdentity,
  before: Json,
  after: Json,
): Pick<Extract<SentIdentity, { readonly isFresh: boolean }>, 'changed' | 'following'> {
  const leaves = leavesOf(after);
  const changed = leaves
    .filter(({ path, value }) => valueAt(before, path) !== value)
    .map(({ path }) => writePointer(path));
  const places = identifyingPlaces(event, after).map((path) => writePointer(path.map(String)));
  const isIdentifying = (pointer: string): boolean =>
    places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
  return { changed, following: changed.filter((pointer) => !isIdentifying(pointer)) };
}

/** Returns the body of a request as a receiver parses it: numbers as doubles. */
function toJson(
  { encoding }: Notification,
  { body }: Pick<UnsignedRequest, 'body'>,
  content: Content,
): Json {
  const text =
    encoding === undefined ? new TextDecoder().decode(body) : JSON.stringify(content.body);
  return JSON.parse(text) as Json;
}

/** Returns all headers of the options, by name in lower case. */
function headersOf({ headers, authentication }: EndpointOptions): Readonly<Record<string, string>> {
  return { ...headers, ...authentication?.headers };
}

/** @throws CommandError in place of a SimulatorError */
function tryTo<T>(compose: () => T): T {
  try {
    return compose();
  } catch (error) {
    throw toCommandError(error);
  }
}

/** Composes the request, with the data in its body or its query. */
function composeRequestOf(
  notification: Notification,
  options: EndpointOptions,
  { body, headers: identifying }: Content,
): UnsignedRequest {
  const { to, appendLabel = false, parameters } = options;
  const labelNames = labelParameters(notification);
  for (const name of parameters.keys()) {
    if (!appendLabel)
      throw new CommandError(
        'usage',
        '--parameter requires --append-label, because only the label has parameters.',
      );
    chooseName('parameter of the label', name, labelNames);
  }
  const { encoding, memberStyles } = notification;
  const path = appendLabel ? labelPath(notification, body, Object.fromEntries(parameters)) : '';
  const text =
    encoding === undefined
      ? JSON.stringify(body)
      : encoding === 'form'
        ? encodeForm(body, memberStyles)
        : '';
  return composeRequest(
    notification,
    urlBelow(to, path + dataQuery(notification, body)),
    Object.entries({ ...identifying, ...headersOf(options) }),
    new TextEncoder().encode(text),
  );
}

/** Returns the signatures that the options select, or else those that the contract states for the notification. */
function chooseSchemes(
  contract: Contract,
  notification: Notification,
  { authentication, mustSign }: EndpointOptions,
): SigningSchemes {
  const none: SigningSchemes = { header: undefined, bodies: [] };
  const chosen = authentication?.signature;
  if (chosen === false) return none;
  const schemes = signedSchemes(contract);
  const names = schemes.map(({ id }) => id);
  if (typeof chosen === 'string') {
    const security = schemes.find(({ id }) => id === chosen);
    if (security === undefined) throw createUnknownNameError('signature', chosen, names);
    return schemesBeside(contract, notification, security);
  }
  const stated = statedSignatures(contract, notification);
  const isStated = stated.header !== undefined || stated.bodies.length > 0;
  if (isStated || !mustSign) return stated;
  const [only, ...moreSchemes] = schemes;
  if (only !== undefined && moreSchemes.length === 0)
    return schemesBeside(contract, notification, only);
  const hint = names.length === 0 ? 'The contract has none.' : `There are: ${names.join(', ')}.`;
  throw new CommandError('usage', `--signature requires the name of a signature. ${hint}`);
}

/** Returns the signing with the signature in a header, if there is one. */
function prepareSigning(
  { header: security, bodies }: SigningSchemes,
  { keyVariable, authentication }: EndpointOptions,
  environment: Environment,
): Signing | undefined {
  if (security !== undefined) return { security, key: readSecret(environment, keyVariable) };
  if (authentication?.publicUrl === undefined) return undefined;
  const reason = bodies.length === 0 ? 'the delivery is not signed' : 'no signature covers the URL';
  throw new CommandError('usage', `--public-url has no effect, because ${reason}.`);
}

/**
 * Returns the signings with the signatures in the body. The variable of `--key-env` has the key of the first signature and
 * of those that share its credential, unless it has a secret that the request carries. The variables of other keys are
 * named after their credentials, as `simulate` names them.
 */
function prepareBodySignings(
  contract: Contract,
  { header, bodies }: SigningSchemes,
  carried: SecretProof | undefined,
  { keyVariable }: EndpointOptions,
  environment: Environment,
): readonly (Signing & { readonly variable: string })[] {
  const credentialOf = (scheme: SecurityScheme): string => signingCredential(contract, scheme);
  const owner = header ?? bodies[0];
  return bodies.map((security) => {
    const credential = credentialOf(security);
    const isOwn =
      carried === undefined && owner !== undefined && credentialOf(owner) === credential;
    const variable = isOwn
      ? keyVariable
      : toEnvironmentName(contract.info.title, toMemberName(credential));
    const key = readSecret(environment, variable);
    return { security, key, variable };
  });
}
