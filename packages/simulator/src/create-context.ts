import { createFailureWarnings } from '@countersign/runtime/base';
import { faultOfSecret } from '@countersign/runtime/signing';
import { withBodyKeys } from './body-keys.ts';
import type { Clock } from './clock.ts';
import type { SimulatorContext } from './context.ts';
import { chooseAnswers, settle } from './answers.ts';
import { deliveredSchemes } from './delivered-schemes.ts';
import { proofOf } from './deliveries/proofs/proofs.ts';
import { type KeyPair, makeKeyPair, readKeyPair } from './key-pairs.ts';
import type { Journal } from './journal.ts';
import { type Random, createRandom } from './random.ts';
import { Redactor } from './sending/redact.ts';
import type { Service } from './service.ts';
import { SimulatorError } from './sending/simulator-error.ts';
import type { Settle } from './sending/signature-scheme.ts';
import type { SimulatorOptions } from './simulator.ts';

/**
 * Prepares what the parts of a simulator share.
 * @throws SimulatorError `unknown-name` for an unknown question, choice or credential
 */
export function createContext(
  description: Service,
  options: SimulatorOptions,
  clock: Clock,
  journal: Journal,
): SimulatorContext {
  const random = createRandom(options.seed ?? 1);
  const answers = chooseAnswers(description, options.answers ?? {});
  const { credentials, keyPairs } = addKeyPairs(
    description,
    options,
    withBodyKeys(
      description,
      options,
      chooseCredentials(description, options.credentials ?? {}, random),
    ),
    (value) => settle(description, answers, value),
  );
  const { headers = {}, key, previousKey, pathSecret } = options.authentication ?? {};
  assertSecrets({
    ...options.credentials,
    key,
    previousKey,
    pathSecret,
  });
  const secret = description.credentials.filter(({ isPublic }) => isPublic !== true);
  const secrets = [
    ...secret.map(({ name }) => credentials[name]),
    ...Array.from(keyPairs.values(), ({ privateKey }) => privateKey),
    ...Object.values(headers),
    key,
    previousKey,
    pathSecret,
  ];
  const redactor = new Redactor(
    secrets.filter((text) => text !== undefined).flatMap((text) => [text, ...text.split(':')]),
  );
  return {
    description,
    options,
    answers,
    settle: (value) => settle(description, answers, value),
    credentials,
    keyPairs,
    redactor,
    random,
    clock,
    journal,
    faults: { current: options.faults ?? {} },
    warn: createFailureWarnings(),
  };
}

function chooseCredentials(
  { credentials }: Service,
  optionCredentials: Readonly<Record<string, string>>,
  random: Random,
): Readonly<Record<string, string>> {
  const names = credentials.map(({ name }) => name);
  for (const name of Object.keys(optionCredentials))
    if (!names.includes(name))
      throw new SimulatorError(
        'unknown-name',
        `The contract has no credential "${name}". ${names.length === 0 ? 'It has none.' : `The credentials are ${names.join(', ')}.`}`,
      );
  return Object.fromEntries(
    credentials.flatMap(({ name, form, isPublic, sentBy, value }) => {
      const stated =
        (Object.hasOwn(optionCredentials, name) ? optionCredentials[name] : undefined) ?? value;
      // An optional value that is not a secret is left out, unless the contract or the caller states it.
      if (stated === undefined && isPublic === true && sentBy?.isOptional === true) return [];
      const made = stated ?? makeCredential(name, form, random.fork(`credential ${name}`));
      return [[name, made] as const];
    }),
  );
}

/**
 * Reads the key pairs that the options have, and makes the others. A credential of a client is the private key of the
 * signatures that share it.
 * @throws SimulatorError `not-signable` for a key that is not valid
 */
function addKeyPairs(
  description: Service,
  options: SimulatorOptions,
  credentials: Readonly<Record<string, string>>,
  settleValue: Settle,
): Pick<SimulatorContext, 'credentials' | 'keyPairs'> {
  const keyPairs = new Map<string, KeyPair>();
  const all = new Map(Object.entries(credentials));
  const made = new Set<string>();
  const { signature, key } = options.authentication ?? {};
  const delivered = deliveredSchemes(description, signature);
  for (const security of description.security) {
    const scheme = proofOf(security)?.keyPairScheme?.(security, settleValue);
    if (scheme === undefined) continue;
    const { id, credential } = security;
    const stated =
      (delivered.includes(security) ? key : undefined) ??
      (credential === undefined ? undefined : options.credentials?.[credential]);
    const shared =
      credential !== undefined && made.has(credential) ? all.get(credential) : undefined;
    const keyText = stated ?? shared;
    const pair = keyText === undefined ? makeKeyPair(scheme, id) : readKeyPair(keyText, scheme, id);
    keyPairs.set(id, pair);
    if (credential === undefined || options.credentials?.[credential] !== undefined) continue;
    all.set(credential, pair.privateKey);
    made.add(credential);
  }
  return { credentials: Object.fromEntries(all), keyPairs };
}

/** Makes up a credential. A key is text that is valid in UTF-8, Base64 and hexadecimal alike. */
function makeCredential(name: string, form: 'text' | 'pair' | 'key', random: Random): string {
  const hex = random.uuid().replaceAll('-', '');
  if (form === 'key') return hex;
  return form === 'pair' ? `simulated-${name}:${hex}` : `simulated-${name}-${hex.slice(0, 12)}`;
}

/**
 * Asserts that the secrets of the options can be secrets of a service.
 * @throws SimulatorError `invalid-option`
 */
function assertSecrets(secrets: Readonly<Record<string, string | undefined>>): void {
  for (const [name, secret] of Object.entries(secrets)) {
    const fault = secret === undefined ? undefined : faultOfSecret(secret);
    // Files in PEM, and many with a JWK, end with a line break.
    const isKeyFile = fault === 'white-space' && /^\s*(?:-----BEGIN |\{)/u.test(secret ?? '');
    if (fault !== undefined && !isKeyFile)
      throw new SimulatorError(
        'invalid-option',
        `The secret "${name}" ${fault === 'white-space' ? 'begins or ends with white space, such as the line break at the end of a file' : 'is empty, or a text such as "undefined"'}.`,
      );
  }
}
