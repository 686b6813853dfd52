import type { Contract } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { code, type Code, joinCode } from '../code.ts';
import { identifier, memberName } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import {
  type BodySignatureCode,
  coveredMembers,
  describeBodySignatures,
} from '../printing/body-signature-code.ts';
import {
  type CertificateCode,
  type CombinationCode,
  describeCertificates,
  describeCombination,
} from '../printing/certificate-code.ts';
import { describeSignatures, type SignatureCode } from '../printing/signature-code.ts';
import { describeSecrets, type SecretCode, secretWarning } from '../printing/secret-code.ts';

/** A description with the comment of its function. */
type Documented<Description> = Description & { readonly about: Code };

/** A signature with what the template of its strategy writes. */
interface SignatureModule extends Documented<SignatureCode> {
  readonly signedAbout: Code;
  /** The options that answer open questions. */
  readonly members: readonly Code[];
  readonly chooses: boolean;
  readonly hasKeyEncoding: boolean;
  readonly needsHeaders: boolean;
  readonly headerMembers: Code;
}

/** Every strategy of authentication that a contract states for its notifications. */
export interface AuthenticationCode {
  readonly signatures: readonly SignatureModule[];
  readonly bodySignatures: readonly Documented<BodySignatureCode>[];
  readonly secrets: readonly Documented<SecretCode>[];
  readonly certificates: readonly Documented<CertificateCode>[];
  readonly combined: Documented<CombinationCode> | undefined;
}

/** Describes the strategies of a contract for the modules of its receiver. */
export function describeAuthentication(contract: Contract): AuthenticationCode {
  const combination = describeCombination(contract);
  return {
    signatures: describeSignatures(contract).map((signature) => toModule(contract, signature)),
    bodySignatures: describeBodySignatures(contract).map((signature) =>
      document(
        contract,
        signature,
        'Authenticates deliveries by the signature in the body, which the contract states. It covers these members alone, in order: ' +
          `${coveredMembers(signature)}. An attacker who captured a delivery can change every other member.`,
      ),
    ),
    secrets: describeSecrets(contract).map((secret) =>
      document(
        contract,
        secret,
        `Authenticates deliveries by the ${secret.what}, which the contract states. Give several during a rotation.` +
          (secret.isAlone ? '' : ' The contract requires other schemes beside it.'),
        secretWarning(secret),
      ),
    ),
    certificates: describeCertificates(contract).map((certificate) =>
      document(
        contract,
        certificate,
        'Authenticates deliveries by the client certificate that the contract states. `from` is where the certificate comes from; whose certificate it has to be is what the operator of the service states.',
      ),
    ),
    combined: combination && {
      ...combination,
      about: jsdoc({
        summary: `Combines strategies as the contract does for every notification: ${combination.stated}.`,
      }),
    },
  };
}

/** Returns the data of the module of strategies; `undefined` if the contract states none that the module has. */
export function strategiesModule(authentication: AuthenticationCode): object | undefined {
  const { signatures, secrets, certificates, combined } = authentication;
  if (signatures.length + secrets.length + certificates.length === 0 && combined === undefined)
    return undefined;
  const factories = new Set(secrets.map(({ factory }) => factory));
  const credentials = [...factories].filter((name) => name !== 'sharedSecret').toSorted();
  return {
    signatures,
    secrets,
    certificates,
    combined,
    sharesSecrets: factories.has('sharedSecret'),
    credentials:
      credentials.length === 0
        ? undefined
        : joinCode(
            credentials.map((name) => identifier(name)),
            ', ',
          ),
    chooses: signatures.some(({ chooses }) => chooses),
    usesSecrets: signatures.some(({ isPair }) => !isPair),
    usesPairs: signatures.some(({ isPair }) => isPair),
    usesKeySets: signatures.some(({ jwks }) => jwks !== undefined),
    namesKeys: signatures.some(({ isPair, namesKeys }) => isPair && namesKeys),
    patterns: signatures.some(({ patterns, isPair }) => patterns && !isPair),
    compares: signatures.some(({ needsHeaders }) => needsHeaders),
    signsPath: signatures.some(({ signsPath }) => signsPath),
  };
}

function toModule(contract: Contract, signature: SignatureCode): SignatureModule {
  const { security, questions, headers, isStated, statedFor, verify } = signature;
  return {
    ...signature,
    members: questions.members(),
    chooses: questions.options.length > 0,
    hasKeyEncoding: security.signature?.key.encoding !== undefined,
    needsHeaders: headers.length > 0,
    headerMembers: joinCode(
      headers.map((name) => code`readonly ${memberName(name)}: string | readonly string[]`),
      '; ',
    ),
    about: jsdoc({
      summary:
        `Authenticates deliveries by the signature that the contract states for ${statedFor}.` +
        (isStated
          ? ''
          : ' That notifications carry it is an assumption: ask the operator of the service.'),
      description: security.description,
      questions: entriesAt(contract, security.pointer).filter(
        (entry) => !questions.options.some((option) => option.entry === entry),
      ),
      source: security.signature === undefined ? [] : security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
    signedAbout: jsdoc({
      summary: `Makes what signs deliveries in tests as ${verify} wants them.`,
    }),
  };
}

/** Adds the comment of a strategy, with what the contract writes about its scheme. */
function document<Description extends Pick<SecretCode, 'security'>>(
  contract: Contract,
  description: Description,
  summary: string,
  warning?: string,
): Documented<Description> {
  const { security } = description;
  return {
    ...description,
    about: jsdoc({
      summary,
      description: [security.description, warning].filter(Boolean).join('\n\n'),
      questions: entriesAt(contract, security.pointer),
      source: security.source,
      sourceDocument: contract.info.sourceDocument,
    }),
  };
}
