import type { Contract } from '../../../contract/contract.ts';
import { entriesAt } from '../../../contract/ledger-entries.ts';
import { code, type Code, joinCode } from '../../code.ts';
import { identifier, literal, memberName } from '../../escape.ts';
import { jsdoc } from '../../jsdoc.ts';
import { describeSignatures, type SignatureCode } from '../signature-code.ts';
import { signatureStrategyCode } from '../strategy-code.ts';
import type { Documented } from './document.ts';
import type { ProofPrinter } from './printer.ts';

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

/** Prints signatures in headers. */
export const signaturePrinter: ProofPrinter = {
  module(contract) {
    const signatures = describeSignatures(contract).map((signature) =>
      toModule(contract, signature),
    );
    return {
      file: 'authentication.ts',
      data: {
        signatures,
        chooses: signatures.some(({ chooses }) => chooses),
        usesSecrets: signatures.some(({ isPair }) => !isPair),
        usesPairs: signatures.some(({ isPair }) => isPair),
        usesKeySets: signatures.some(({ jwks }) => jwks !== undefined),
        namesKeys: signatures.some(({ isPair, namesKeys }) => isPair && namesKeys),
        patterns: signatures.some(({ patterns, isPair }) => patterns && !isPair),
        compares: signatures.some(({ needsHeaders }) => needsHeaders),
        signsPath: signatures.some(({ signsPath }) => signsPath),
      },
      isUsed: signatures.length > 0,
      exports: signatures.map(
        ({ verify, optionsType }) =>
          code`export { ${identifier(verify)}, type ${identifier(optionsType)} } from './authentication.ts';`,
      ),
      signers: signatures.map(({ signer }) => signer),
    };
  },
  strategies: (contract) =>
    describeSignatures(contract).map(
      ({ verify, isStated, statedFor, security, signsPath, signsUrl }) => ({
        verify,
        about:
          `requests with the signature \`${security.id}\`, which the contract states for ${statedFor}` +
          (isStated ? '' : '; that notifications carry it is an assumption') +
          (signsPath
            ? `; \`publicUrl\` is the URL that senders call: set it behind a proxy that changes the path${signsUrl ? ', and if the signature covers the host' : ''}`
            : ''),
      }),
    ),
  example(contract) {
    const signature = describeSignatures(contract).find(({ isStated }) => isStated);
    if (signature === undefined) return undefined;
    const strategy = signatureStrategyCode(
      signature,
      {
        key: signature.isPair ? code`process.env['TEST_PRIVATE_KEY'] ?? ''` : literal('secret'),
        header: 'secret',
        usesAddress: signature.jwks !== undefined,
      },
      signature.questions.required(),
      signature.alwaysSignsUrl ? () => literal('https://hooks.example.com') : undefined,
    );
    return { ...strategy, isPreferred: true };
  },
};

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
