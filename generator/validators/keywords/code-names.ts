import { hash as toHash } from 'node:crypto';
import type { Code, Name } from 'ajv';
import { formatMember } from '../formats.ts';
import type { AjvLibrary } from '../ajv-library.ts';
import type { RuntimeName, ValidatorCode, ValidatorConstant } from '../validator-code.ts';

/** The names that the code of one schema uses without declaring them. Keywords ask for them while they print. */
export class CodeNames {
  readonly #Name: AjvLibrary['codegen']['Name'];
  readonly #Text: AjvLibrary['Text'];
  #nameOf: (schemaName: string) => string = () => '';
  readonly #constants = new Map<string, ValidatorConstant>();
  readonly #runtime = new Set<RuntimeName>();
  readonly #formats = new Set<string>();
  readonly #schemas = new Set<string>();

  constructor({ codegen: { Name }, Text }: AjvLibrary) {
    this.#Name = Name;
    this.#Text = Text;
  }

  /**
   * Starts with another schema.
   * @param nameOf returns the name of the function of a schema
   */
  start(nameOf: (schemaName: string) => string): void {
    this.#nameOf = nameOf;
    for (const names of [this.#constants, this.#runtime, this.#formats, this.#schemas])
      names.clear();
  }

  /** Returns all names since the start. */
  list(): Omit<ValidatorCode, 'name' | 'text' | 'evaluated'> {
    return {
      constants: [...this.#constants.values()],
      runtime: [...this.#runtime],
      formats: [...this.#formats],
      schemas: [...this.#schemas],
    };
  }

  runtime(name: RuntimeName): Name {
    this.#runtime.add(name);
    return new this.#Name(name);
  }

  format(format: string): Name {
    const member = formatMember(format);
    this.#formats.add(member);
    return new this.#Name(member);
  }

  /** Returns the name of another schema's function. It can have letters that Ajv does not allow in a `Name`. */
  reference(schemaName: string): Code {
    const name = new this.#Text(this.#nameOf(schemaName));
    this.#schemas.add(schemaName);
    return name;
  }

  /** @param text a JavaScript expression without effects */
  constant(kind: ValidatorConstant['kind'], text: string): Name {
    const name = `${kind}_${toHash('sha256', text, 'hex').slice(0, 10)}`;
    this.#constants.set(name, { name, kind, text });
    return new this.#Name(name);
  }
}
