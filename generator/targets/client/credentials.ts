import type { Contract, Operation, SecurityScheme, Signature } from '../../contract/contract.ts';
import { indexSchemas } from '../../contract/json-schema.ts';
import { NameRegistry, toMemberName } from '../../contract/names.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import { signatureSchemeCode } from '../signature-scheme.ts';
import { bodyProperties } from './body-properties.ts';
import { requestContent } from './media-types.ts';
import { namespace } from './operation-types.ts';
import { groupOf, isDemanded } from './parameters.ts';
import type { PlannedOperation } from './plan.ts';
import { demandedSchemes, usedSchemes } from './used-schemes.ts';

/** A secret or name that the user of a client has. */
export interface Credential {
  readonly name: string;
  readonly type: Code;
  readonly description: string | undefined;
  readonly source: readonly string[];
  /** Whether no call can do without it. */
  readonly required: boolean;
}

/** What the module of the connection says about security. */
export interface SecurityCode {
  readonly credentials: readonly Credential[];
  /** An authoriser for each scheme, by its name in the contract. */
  readonly schemes: readonly { readonly id: string; readonly text: Code }[];
  /** Inputs made of credentials, by operation. */
  readonly inputs: readonly { readonly id: string; readonly text: Code }[];
  readonly imports: readonly string[];
  /** Operations whose descriptions are needed: those that issue tokens. */
  readonly operations: readonly PlannedOperation[];
}

/** Makes credentials and authorisers of the contract's security schemes. */
export function describeSecurity(
  contract: Contract,
  planned: readonly PlannedOperation[],
  questions: OpenQuestions,
): SecurityCode {
  const used = usedSchemes(contract, planned);
  const demanded = demandedSchemes(contract, planned);
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
  readonly #names = new NameRegistry<string>();
  readonly #credentials = new Map<string, Credential>();
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
      credentials: [...this.#credentials.values()],
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
      this.#credential(scheme.name, scheme.id, new Code(type), scheme, required);
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
        // Of other schemes the credential is the whole value, the word before it included.
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
    const { credential } = signature.key;
    const key = this.#credential(
      toMemberName(credential),
      `key ${credential}`,
      new Code('string | Uint8Array'),
      scheme,
      required,
    );
    const text = signatureSchemeCode(scheme, signature, {
      valueOf: (value) => this.#questions.answerOf(value),
      // Nothing here checks a signature; the figure only completes the scheme.
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
    const needed = this.#inputOf(plan.operation, required);
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

  /** Credentials for everything that the token operation takes; answers with those it cannot do without. */
  #inputOf(operation: Operation, required: boolean): readonly Code[] {
    const index = indexSchemas(this.#contract);
    const needed: Code[] = [];
    const groups = new Map<string, Code[]>();
    const give = (
      name: string,
      type: Code,
      schema: Json,
      isNeeded: boolean,
      source: readonly string[],
    ): Code => {
      const constant = constantOf(schema);
      if (constant !== undefined) return literal(constant);
      const about = { description: textOf(schema), source };
      const credential = this.#credential(
        toMemberName(name),
        `${operation.id} ${name}`,
        type,
        about,
        required && isNeeded,
      );
      if (isNeeded) needed.push(credential);
      return credential;
    };
    for (const parameter of operation.parameters) {
      if (parameter.everyRequest !== undefined || !isDemanded(parameter)) continue;
      const group = groupOf[parameter.in];
      const value = give(
        parameter.name,
        new Code('string'),
        parameter.schema,
        true,
        parameter.source,
      );
      groups.set(group, [
        ...(groups.get(group) ?? []),
        code`${memberName(parameter.name)}: ${value}`,
      ]);
    }
    const [media] = requestContent(operation);
    const typeName = media?.schema === undefined ? undefined : index.get(media.schema)?.typeName;
    const members = media?.schema === undefined ? [] : bodyProperties(index, media.schema);
    const body = members.map(({ name, schema, required: isNeeded }) => {
      const type =
        typeName === undefined
          ? new Code('unknown')
          : code`${identifier(namespace)}.${identifier(typeName)}[${literal(name)}]`;
      const source = isJsonObject(schema) ? [schema['x-source'] ?? []].flat() : [];
      const value = give(
        name,
        type,
        schema,
        isNeeded,
        source.filter((item) => typeof item === 'string'),
      );
      return code`${memberName(name)}: ${value}`;
    });
    const parts = [
      ...Array.from(
        groups,
        ([group, list]) => code`${identifier(group)}: { ${joinCode(list, ', ')} }`,
      ),
      ...(body.length === 0 ? [] : [code`body: { ${joinCode(body, ', ')} }`]),
    ];
    if (parts.length > 0 && !this.#inputs.some(({ id }) => id === operation.id)) {
      this.#inputs.push({ id: operation.id, text: code`{ ${joinCode(parts, ', ')} }` });
    }
    return needed;
  }

  /** The code that reads a credential; two schemes that speak of the same `owner` share it. */
  #credential(
    wanted: string,
    owner: string,
    type: Code,
    about: { readonly description?: string | undefined; readonly source: readonly string[] },
    required: boolean,
  ): Code {
    const known = this.#credentials.get(owner);
    const name = known?.name ?? this.#names.claimFree(wanted, owner);
    this.#credentials.set(owner, {
      name,
      type,
      description: about.description,
      source: about.source,
      required: required || known?.required === true,
    });
    return code`credentials.${identifier(name)}`;
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
  const members = pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
  return code`{ body: ${literal(members)} }`;
}

function constantOf(schema: Json): Json | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  const { enum: values } = schema;
  return Array.isArray(values) && values.length === 1 ? (values[0] as Json) : undefined;
}

function textOf(schema: Json): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  return typeof schema['description'] === 'string' ? schema['description'] : undefined;
}
