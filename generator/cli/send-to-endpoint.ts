import type { EventIdentity, TlsIdentity, UnsignedRequest } from '@countersign/simulator/sending';
import type { Contract, Example, Notification, SecurityScheme } from '../contract/contract.ts';
import {
  headersToGive,
  schemesBeside,
  secretsBeside,
  signedSchemes,
  signingCredential,
  type SigningSchemes,
  statedSchemes,
  statedSignatures,
} from '../contract/sent-proofs.ts';
import type { SecretProof } from '../contract/proofs.ts';
import { labelParameters } from '../contract/delivery.ts';
import { optional, type Json } from '../json/json.ts';
import { type OpenIdentity, readIdentity, toOtherEvent } from '../tools/send/other-event.ts';
import { chooseAddress, exchange, importSending } from '../tools/send/sending.ts';
import { checkBody } from '../tools/send/check-body.ts';
import { makeSchemaSample } from '../tools/send/schema-sample.ts';
import { secretToCarry } from '../tools/send/carry-secret.ts';
import { createProofs, type Signing } from '../tools/send/delivery-proofs.ts';
import { toEnvironmentName, toMemberName } from '../contract/names.ts';
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
import { readSecret } from './read-secret.ts';
import { readSendOptions, type SendInvocation, type SendOptions } from './send-options.ts';
import { describeFindings, describeProof } from './describe-delivery.ts';
import { readTlsFiles } from './tls-files.ts';

type Sending = Awaited<ReturnType<typeof importSending>>;

/**
 * Delivers one example of a notification to an endpoint and reports the response. Where the contract states what
 * identifies an event, each delivery is another event, unless the caller gives its identity.
 */
export async function sendToEndpoint(invocation: SendInvocation): Promise<ExitCode> {
  const options = await readSendOptions(invocation);
  const tls = await readTlsFiles(invocation);
  const { contract, loaded } = await readOneContract(invocation);
  const notification = findNotification(contract, invocation.values[0]);
  const sending = await importSending();
  const { possibleSecrets, Redactor, withPathSecret } = sending;
  const certificate = tls.certificate && (await checkCertificate(tls.certificate));
  const answers = readAnswers(invocation.options.answer, contract);
  const example = options.isSample ? undefined : chooseExample(notification, options);
  const base = options.isSample ? await makeSchemaSample(contract, notification) : example?.value;
  const identity = readIdentity(contract, notification, answers);
  const content = await composeContent(contract, notification, options, identity, base);
  const stated = statedSchemes(contract, notification);
  const isInPath = stated.some((scheme) => scheme.in === 'path');
  const to =
    options.pathSecret === undefined ? options.to : withPathSecret(options.to, options.pathSecret);
  if (to === undefined)
    throw new CommandError(
      'usage',
      'The secret of --path-secret-env must be one segment of a path: without `/` and `\\`, and not `.` or `..`.',
    );
  const composed = await composeDelivery(notification, { ...options, to }, content, sending);
  const schemes = chooseSchemes(contract, notification, options);
  const signing = prepareSigning(schemes, options, invocation);
  const carried =
    signing !== undefined || options.signature === false
      ? undefined
      : secretToCarry(sending, secretsBeside(contract, notification, schemes), composed);
  const bodySignings = prepareBodySignings(contract, schemes, carried, options, invocation);
  const secret = carried && readSecret(invocation.terminal.environment, options.secretVariable);
  const proofs = await createProofs(contract, {
    signing,
    bodySignings,
    secret: carried && { proof: carried, value: secret ?? '' },
    certificate,
    answers,
    publicUrl: options.publicUrl,
  });
  const address = await chooseAddress(options.to, options.allowsRemote);
  const sent = await sending.signRequest(composed, proofs, false).catch((error: unknown) => {
    throw toCommandError(error);
  });
  const { flags, terminal } = invocation;
  const findings =
    flags.quiet && !flags.json
      ? {}
      : await checkBody(contract, notification, toJson(notification, sent, content));
  if (!flags.json) terminal.error(describeFindings(notification.name, findings));
  const answer = await exchange(sent, address, options.timeoutMs, {
    ...optional('ca', tls.ca),
    expectsCertificate: stated.some(({ type }) => type === 'mutualTLS'),
  });
  const given = new Set(composed.headers.map(([name]) => name.toLowerCase()));
  const secrets = [
    ...options.secrets,
    ...sent.proofs,
    ...bodySignings.map(({ key }) => key),
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
    isSample: options.isSample,
    isSigned: signing !== undefined || bodySignings.length > 0,
    identity: content.identity,
    sent,
    answer,
    findings,
    proof: describeProof(
      invocation,
      [
        ...(signing === undefined && carried === undefined ? [] : [options.secretVariable]),
        ...bodySignings.map(({ variable }) => variable),
      ],
      headersToGive(contract, notification).filter((name) => !given.has(name.toLowerCase())),
    ),
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
async function checkCertificate(identity: TlsIdentity): Promise<TlsIdentity> {
  const { checkIdentity } = await importSending();
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
  { data, headers: optionHeaders }: SendOptions,
  identity: EventIdentity | OpenIdentity,
  example: Json | undefined,
): Promise<Content> {
  const sending = await importSending();
  const { mergeJson, parseExactly, systemRandom, bodyIdentity, identityOf } = sending;
  const members = data === undefined ? undefined : parseExactly(data);
  const complete = (base: Json | undefined): Json =>
    members === undefined ? (base ?? {}) : mergeJson(base, members);
  const plain = complete(example);
  if ('question' in identity) return { body: plain, headers: {}, identity };
  const random = systemRandom;
  const constant = notification.delivery.headers;
  const headers = Object.fromEntries(
    sending
      .identifyingHeaders(identity)
      .filter((name) => !Object.hasOwn(optionHeaders, name) && !Object.hasOwn(constant, name))
      .map((name) => [name, random.uuid()]),
  );
  // What the caller gives of an identity is sent as it is, with the rest of the example.
  const isGiven = members !== undefined && bodyIdentity(identity, members) !== undefined;
  const isInBody = example !== undefined && bodyIdentity(identity, example) !== undefined;
  const other =
    isGiven || !isInBody
      ? undefined
      : await toOtherEvent(contract, notification, identity, example, random);
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
      ...describeChanges(sending, identity, plain, body),
    },
  };
}

/** Returns the JSON Pointers of the changed members, and of those among them that are not part of the identity. */
function describeChanges(
  { identifyingPlaces, leavesOf, valueAt, writePointer }: Sending,
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

/** Composes the request, with the data in its body or its query. */
async function composeDelivery(
  notification: Notification,
  { to, appendsLabel, parameters, headers }: SendOptions,
  { body, headers: identifying }: Content,
  { composeRequest, dataQuery, encodeForm, labelPath, urlBelow }: Sending,
): Promise<UnsignedRequest> {
  const labelNames = labelParameters(notification);
  for (const name of parameters.keys()) {
    if (!appendsLabel)
      throw new CommandError(
        'usage',
        '--parameter requires --append-label, because only the label has parameters.',
      );
    chooseName('parameter of the label', name, labelNames);
  }
  const { encoding } = notification;
  const path = appendsLabel ? labelPath(notification, body, Object.fromEntries(parameters)) : '';
  const text =
    encoding === undefined ? JSON.stringify(body) : encoding === 'form' ? encodeForm(body) : '';
  return composeRequest(
    notification,
    urlBelow(to, path + dataQuery(notification, body)),
    Object.entries({ ...identifying, ...headers }),
    new TextEncoder().encode(text),
  );
}

/** Returns the signatures that the options select, or else those that the contract states for the notification. */
function chooseSchemes(
  contract: Contract,
  notification: Notification,
  { signature: chosen }: SendOptions,
): SigningSchemes {
  const none: SigningSchemes = { header: undefined, bodies: [] };
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
  if (isStated || chosen === undefined) return stated;
  const [only, ...moreSchemes] = schemes;
  if (only !== undefined && moreSchemes.length === 0)
    return schemesBeside(contract, notification, only);
  const hint = names.length === 0 ? 'The contract has none.' : `There are: ${names.join(', ')}.`;
  throw new CommandError('usage', `--signature requires the name of a signature. ${hint}`);
}

/** Returns the signing with the signature in a header, if there is one. */
function prepareSigning(
  { header: security, bodies }: SigningSchemes,
  { secretVariable, publicUrl }: SendOptions,
  { terminal }: Invocation,
): Signing | undefined {
  if (security !== undefined)
    return { security, key: readSecret(terminal.environment, secretVariable) };
  if (publicUrl === undefined) return undefined;
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
  { secretVariable }: SendOptions,
  { terminal }: Invocation,
): readonly (Signing & { readonly variable: string })[] {
  const credentialOf = (scheme: SecurityScheme): string => signingCredential(contract, scheme);
  const owner = header ?? bodies[0];
  return bodies.map((security) => {
    const credential = credentialOf(security);
    const isOwn =
      carried === undefined && owner !== undefined && credentialOf(owner) === credential;
    const variable = isOwn
      ? secretVariable
      : toEnvironmentName(contract.info.title, toMemberName(credential));
    const key = readSecret(terminal.environment, variable);
    return { security, key, variable };
  });
}
