import { NameRegistry } from '../../contract/lower/names.ts';
import { code, type Code } from '../code.ts';
import { identifier } from '../escape.ts';

/** A secret or name that the user of a client has. */
export interface Credential {
  readonly name: string;
  readonly type: Code;
  readonly description: string | undefined;
  readonly source: readonly string[];
  /** Whether only schemes that nothing new should use have a use for it. */
  readonly deprecated: boolean;
  /** Whether no call can do without it. */
  readonly required: boolean;
}

/** The credentials that a client asks for, each under a name of its own. */
export class Credentials {
  readonly #names = new NameRegistry<string>();
  readonly #byOwner = new Map<string, Credential>();

  /** Those that were read so far. */
  get list(): readonly Credential[] {
    return [...this.#byOwner.values()];
  }

  /** The code that reads a credential; two schemes that speak of the same `owner` share it. */
  read(
    wanted: string,
    owner: string,
    type: Code,
    about: {
      readonly description?: string | undefined;
      readonly source: readonly string[];
      readonly deprecated?: boolean;
    },
    required: boolean,
  ): Code {
    const known = this.#byOwner.get(owner);
    const name = known?.name ?? this.#names.claimFree(wanted, owner);
    this.#byOwner.set(owner, {
      name,
      type,
      description: about.description,
      source: about.source,
      deprecated: about.deprecated === true && known?.deprecated !== false,
      required: required || known?.required === true,
    });
    return code`credentials.${identifier(name)}`;
  }
}
