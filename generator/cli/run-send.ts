import type { Contract, Notification } from '../contract/contract.ts';
import { labelParameters, toDelivery } from '../contract/lower/delivery.ts';
import type { Json } from '../json/json.ts';
import {
  chooseAddress,
  type DeliveryRequest,
  exchange,
  importSending,
} from '../tools/send/sending.ts';
import { signDelivery, statedScheme, type Signing } from '../tools/send/sign-delivery.ts';
import type { Invocation } from './command.ts';
import { CommandError } from '../tools/command-error.ts';
import { describeExchange, toExchangeData, type Exchange } from './describe-exchange.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';
import { readOneContract } from './one-contract.ts';
import { readAnswers } from './read-answers.ts';
import { readSecret, readSendOptions, type SendOptions } from './send-options.ts';

type MergeJson = (value: Json | undefined, overrides: Json) => Json;

/** Writes data as a form or a query. */
type EncodeForm = (value: Json) => string;

/** Replaces members of an example by those of a JSON text, whose numbers keep their digits. */
type Merge = (value: Json | undefined, data: string) => Json;

/** Delivers one example of a notification to an endpoint and reports the response. */
export async function runSend(invocation: Invocation): Promise<ExitCode> {
  const options = readSendOptions(invocation);
  const { contract, loaded } = await readOneContract(invocation);
  const notification = findNotification(contract, invocation.values[0] ?? '');
  const { encodeForm, mergeJson, parseExactly, Redactor } = await importSending();
  // The types of both packages differ only in absent members: examples and parsed JSON have none.
  const merge: Merge = (value, data) => (mergeJson as MergeJson)(value, parseExactly(data));
  const { example, body } = composeBody(notification, options, merge);
  const request = composeRequest(notification, options, body, encodeForm as EncodeForm);
  const signing = chooseSigning(contract, notification, options, invocation);
  const address = await chooseAddress(options.to, options.allowsRemote);
  const signed = signing === undefined ? {} : await signDelivery(contract, request, signing);
  const sent = { ...request, headers: { ...request.headers, ...signed } };
  const answer = await exchange(sent, address, options.timeLimit);
  const secrets = [...options.secrets, ...Object.values(signed)];
  const shown: Exchange = {
    event: notification.name,
    example,
    isSigned: signing !== undefined,
    identity: identityOf(notification),
    sent,
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

function findNotification({ notifications }: Contract, event: string): Notification {
  const found = notifications.find(({ name, id }) => name === event || id === event);
  if (found !== undefined) return found;
  const names = notifications.map(({ name }) => name);
  throw createUnknownNameError('notification', event, names);
}

/** Returns the expressions that make two deliveries the same event, if the contract states them. */
function identityOf({ dedupeBy = [] }: Notification): readonly string[] {
  return 'unstated' in dedupeBy ? [] : dedupeBy;
}

function composeBody(
  { name, examples }: Notification,
  { example: asked, data }: SendOptions,
  merge: Merge,
): { readonly example: string | undefined; readonly body: Json } {
  const example = asked === undefined ? examples[0] : examples.find((one) => one.name === asked);
  if (asked !== undefined && example === undefined) {
    const names = examples.map((one) => one.name);
    throw createUnknownNameError(`example of ${name}`, asked, names);
  }
  if (example === undefined && data === undefined)
    throw new CommandError('usage', `${name} has no example. Give its body with --data.`);
  const value = example?.value;
  return {
    example: example?.name,
    body: data === undefined ? (value ?? {}) : merge(value, data),
  };
}

function composeRequest(
  notification: Notification,
  { to, appendsLabel, parameters, headers }: SendOptions,
  body: Json,
  encodeForm: EncodeForm,
): DeliveryRequest {
  const known = labelParameters(notification);
  for (const name of parameters.keys()) {
    if (!appendsLabel)
      throw new CommandError(
        'usage',
        '--param requires --label-path, because only the label has parameters.',
      );
    chooseName('parameter of the label', name, known);
  }
  const delivery = toDelivery(notification, (name) => parameters.get(name) ?? name.toWellFormed());
  const url = new URL(to);
  if (appendsLabel) url.pathname = url.pathname.replace(/\/$/u, '') + delivery.path;
  const { encoding } = notification;
  const text = encoding === undefined ? JSON.stringify(body) : encodeForm(body);
  if (encoding === 'query') url.search = [url.search.slice(1), text].filter(Boolean).join('&');
  return {
    url,
    method: delivery.method,
    headers: { ...delivery.headers, ...headers },
    body: new TextEncoder().encode(encoding === 'query' ? '' : text),
  };
}

/** Returns the signing that the options select, or else the one that the contract states for the notification. */
function chooseSigning(
  contract: Contract,
  notification: Notification,
  { sign, secretVariable }: SendOptions,
  { options, terminal }: Invocation,
): Signing | undefined {
  if (sign === false) return undefined;
  const schemes = contract.security.filter(({ signature }) => signature !== undefined);
  const names = schemes.map(({ id }) => id);
  const stated = statedScheme(notification, schemes);
  const [only, ...others] = schemes;
  const security =
    typeof sign === 'string'
      ? schemes.find(({ id }) => id === sign)
      : (stated ?? (sign === true && others.length === 0 ? only : undefined));
  if (security === undefined) {
    if (sign === undefined) return undefined;
    if (typeof sign === 'string') throw createUnknownNameError('signature', sign, names);
    const hint = names.length === 0 ? 'The contract has none.' : `There are: ${names.join(', ')}.`;
    throw new CommandError('usage', `--sign requires the name of a signature. ${hint}`);
  }
  return {
    security,
    key: readSecret(terminal.environment, secretVariable),
    answers: readAnswers(options['answer'], contract),
  };
}
