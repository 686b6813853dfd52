import type { Contract, SecurityScheme, Signature } from '../../contract/contract.ts';
import { openEntriesAt } from '../../contract/open-entries.ts';
import { pointerMembers, toPointer } from '../../json/pointer.ts';
import { toMemberName } from '../../contract/lower/names.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import { signatureSchemeCode } from '../signature-scheme.ts';
import { Credentials, type Credential } from './credentials.ts';
import type { PlannedOperation } from './plan.ts';
import { describeTokenInput } from './token-input.ts';
import { requiredSchemes, usedSchemes } from './used-schemes.ts';

/** The parts of the connection module that concern security. */
export interface SecurityCode {
  readonly credentials: readonly Credential[];
  /** The code of an authoriser for each security scheme; `id` is the scheme's name in the contract. */
  readonly schemes: readonly { readonly id: string; readonly text: Code }[];
  /** The inputs that are made of credentials, by the id of their operation. */
  readonly inputs: readonly { readonly id: string; readonly text: Code }[];
  readonly imports: readonly string[];
  /** The operations that the module imports: those that issue tokens. */
  readonly operations: readonly PlannedOperation[];
}

/** Describes the credentials and authorisers for the contract's security schemes that operations use. */
export function describeSecurity(
  contract: Contract,
  planned: readonly PlannedOperation[],
  questions: OpenQuestions,
): SecurityCode {
  const used = usedSchemes(contract, planned);
  const demanded = requiredSchemes(contract, planned);
  const builder = new SecurityBuilder(contract, planned, questions);
  for (const scheme of contract.security) {
    if (used.has(scheme.id)) builder.add(scheme, demanded.has(scheme.id));
  }
  return builder.result();
}

class SecurityBuilder {
  readonly #contract: Contract;
  readonly #planned: readonly PlannedOperation[];
  readonly #questions: OpenQuestions;
  readonly #credentials = new Credentials();
  readonly #schemes: { id: string; text: Code }[] = [];
  readonly #inputs: { id: string; text: Code }[] = [];
  readonly #imports = new Set<string>();
  readonly #operations = new Set<PlannedOperation>();

  constructor(contract: Contract, planned: readonly PlannedOperation[], questions: OpenQuestions) {
    this.#contract = contract;
    this.#planned = planned;
    this.#questions = questions;
  }

  add(scheme: SecurityScheme, required: boolean): void {
    this.#schemes.push({ id: scheme.id, text: this.#authoriser(scheme, required) });
  }

  result(): SecurityCode {
    return {
      credentials: this.#credentials.list,
      schemes: this.#schemes,
      inputs: this.#inputs,
      imports: [...this.#imports],
      operations: [...this.#operations],
    };
  }

  #authoriser(scheme: SecurityScheme, required: boolean): Code {
    const { accessToken, signature } = scheme;
    if (signature !== undefined) return this.#signature(scheme, signature, required);
    if (accessToken !== undefined) return this.#accessToken(scheme, accessToken, required);
    const own = (type: string): Code =>
      this.#credentials.read(
        scheme.name,
        scheme.id,
        new Code(type),
        { ...scheme, questions: openEntriesAt(this.#contract, scheme.pointer) },
        required,
      );
    switch (scheme.type) {
      case 'apiKey': {
        const place = { header: 'headers', query: 'query', cookie: 'cookies' }[
          scheme.in ?? 'header'
        ];
        const name = scheme.parameterName ?? scheme.id;
        return code`${this.#use('apiKey')}(${literal(place)}, ${literal(name)}, ${own('string')})`;
      }
      case 'http': {
        if (scheme.httpScheme === 'basic') {
          const type = '{ readonly username: string; readonly password: string }';
          return code`${this.#use('basic')}(${own(type)})`;
        }
        // For other schemes the credential is the whole value of the header, including the name of the scheme.
        const word = scheme.httpScheme === 'bearer' ? 'Bearer' : '';
        const token = this.#use('GivenToken');
        return code`${this.#use('bearer')}(${literal(word)}, ${own(token.text)})`;
      }
      case 'oauth2':
      case 'openIdConnect': {
        const token = this.#use('GivenToken');
        return code`${this.#use('bearer')}("Bearer", ${own(token.text)})`;
      }
      default:
        return code`${this.#use('outside')}()`;
    }
  }

  #signature(scheme: SecurityScheme, signature: Signature, required: boolean): Code {
    const { credential, description } = signature.key;
    const keyPlace = toPointer(scheme.pointer, 'x-signature', 'key');
    const key = this.#credentials.read(
      toMemberName(credential),
      `key ${credential}`,
      new Code('string | Uint8Array'),
      {
        ...scheme,
        description:
          description ??
          `The key of the signature \`${scheme.id}\`: text in the encoding of the contract, or the bytes of the key.`,
        questions: openEntriesAt(this.#contract, keyPlace),
      },
      required,
    );
    const text = signatureSchemeCode(scheme, signature, {
      valueOf: (value) => this.#questions.answerOf(value),
      // The client verifies no signature, so the tolerance has no effect. The scheme requires one.
      toleranceOf: (tolerance) => literal(typeof tolerance === 'number' ? tolerance : 300),
    });
    return code`${this.#use('signature')}(createSigner, ${text}, ${key})`;
  }

  #accessToken(
    scheme: SecurityScheme,
    accessToken: NonNullable<SecurityScheme['accessToken']>,
    required: boolean,
  ): Code {
    const plan = this.#planned.find(({ operation }) => operation.id === accessToken.operation);
    if (plan === undefined) {
      throw new TypeError(
        `The operation ${JSON.stringify(accessToken.operation)}, which issues tokens, cannot be called.`,
      );
    }
    this.#operations.add(plan);
    const { text, needed } = describeTokenInput(
      this.#contract,
      plan.operation,
      this.#credentials,
      required,
    );
    const { id } = plan.operation;
    if (text !== undefined && !this.#inputs.some((input) => input.id === id))
      this.#inputs.push({ id, text });
    const members = [
      code`operation: ${identifier(plan.constant)}`,
      code`token: ${answerPlace(accessToken.token)}`,
      ...(accessToken.lifetime === undefined
        ? []
        : [code`lifetime: ${answerPlace(accessToken.lifetime)}`]),
      ...(scheme.type === 'apiKey' && scheme.in === 'header' && scheme.parameterName !== undefined
        ? [code`header: ${literal(scheme.parameterName)}`]
        : []),
      code`value: ${this.#questions.answerOf(accessToken.value)}`,
    ];
    const ready =
      needed.length === 0 ? code`true` : code`${this.#use('given')}(${joinCode(needed, ', ')})`;
    return code`${this.#use('accessToken')}({ ${joinCode(members, ', ')} }, ${ready})`;
  }

  #use(name: string): Code {
    this.#imports.add(name);
    return identifier(name);
  }
}

function answerPlace(expression: string): Code {
  const header = /^\$response\.header\.(.+)$/u.exec(expression)?.[1];
  if (header !== undefined) return code`{ header: ${literal(header)} }`;
  const [, pointer = ''] = /^\$response\.body#(.*)$/u.exec(expression) ?? [];
  return code`{ body: ${literal(pointerMembers(pointer))} }`;
}
