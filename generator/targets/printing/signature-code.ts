import { proofsOf, schemeOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import type { SignatureProof } from '../../contract/proofs.ts';
import type { Code } from '../code.ts';
import { objectUnlessEmpty } from '../escape.ts';
import { OpenQuestions } from '../open-questions.ts';
import { signatureSchemeCode } from '../signature-scheme.ts';

/** A signature in a header, with code for the modules that verify and create it. */
export interface SignatureCode extends Omit<SignatureProof, 'jwks'> {
  readonly jwks: string | undefined;
  /** The scheme, as an expression over `answers`. */
  readonly schemeCode: Code;
  /** The answers to its open questions, as an expression over `options`; `undefined` without any. */
  readonly answers: Code | undefined;
  readonly questions: OpenQuestions;
  readonly security: SecurityScheme;
}

/** Names of the options that the functions always have. Options for open questions get other names. */
const ownOptions = ['keys', 'headers', 'publicUrl', 'toleranceMs', 'clock'];

/** Describes the signatures of notifications, or else those of calls. */
export function describeSignatures(contract: Contract): readonly SignatureCode[] {
  return proofsOf(contract, 'signature').flatMap((proof) => {
    const security = schemeOf(contract, proof);
    if (security.signature === undefined) return [];
    const questions = new OpenQuestions(contract, ownOptions);
    const schemeCode = signatureSchemeCode(security.signature, (value) =>
      questions.answerOf(value),
    );
    const answers = objectUnlessEmpty(questions.answers());
    return { ...proof, jwks: proof.jwks, schemeCode, answers, questions, security };
  });
}
