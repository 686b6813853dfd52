import type { Parameter, Unstated } from '../../contract/contract.ts';
import { NameRegistry } from '../../contract/names.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { code, type Code } from '../code.ts';
import { identifier } from '../escape.ts';

/** A secret or a name that the user of a client provides. */
export interface Credential {
  readonly name: string;
  /** Identifies it: a security scheme, the key of a signature, or a value that a token request carries. */
  readonly owner: string;
  /** The schema of a value that a token request carries. */
  readonly schema?: JsonSchema | undefined;
  /** Where a token request carries it. */
  readonly sentBy?: CredentialPlace | undefined;
  readonly type: Code;
  readonly description?: string | undefined;
  readonly source: readonly string[];
  readonly notes?: readonly string[] | undefined;
  /** The ledger entries that it depends on. */
  readonly questions: readonly Unstated[];
  /** Whether every security scheme that reads it is deprecated. */
  readonly deprecated: boolean;
  /** Whether the user has to provide it. */
  readonly required: boolean;
}

/** The parameter of an operation, or the property of its body, whose value is a credential. */
interface CredentialPlace {
  /** The name of the operation's function. */
  readonly operation: string;
  readonly in: Parameter['in'] | 'body';
  readonly name: string;
  /** Present where the contract does not require it. */
  readonly isOptional?: true;
}

/** Collects the credentials that a client reads, each under a unique name. */
export class Credentials {
  readonly #names = new NameRegistry<string>();
  readonly #byOwner = new Map<string, Credential>();

  /** The credentials that were read so far. */
  get list(): readonly Credential[] {
    return [...this.#byOwner.values()];
  }

  /**
   * Returns the code that reads a credential, and adds the credential to the list. Two schemes that pass the same
   * `owner` share one credential.
   * @param wanted its name, unless another credential has that name
   */
  read(wanted: string, credential: Omit<Credential, 'name'>): Code {
    const { owner, deprecated, required } = credential;
    const earlier = this.#byOwner.get(owner);
    const name = earlier?.name ?? this.#names.claimFree(wanted, owner);
    this.#byOwner.set(owner, {
      ...credential,
      name,
      deprecated: deprecated && earlier?.deprecated !== false,
      required: required || earlier?.required === true,
    });
    return code`credentials.${identifier(name)}`;
  }
}
