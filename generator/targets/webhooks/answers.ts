import type { Acceptance, AnswerValue } from '../../contract/contract.ts';
import { toRead } from '../../recognition/reads.ts';
import { type Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName, object } from '../escape.ts';
import type { Events } from '../../contract/events.ts';

/** The responses that a contract states, as code. Kinds with the same answer share a constant. */
interface AnswersCode {
  readonly constants: readonly { readonly name: string; readonly value: Code }[];
  /** The constants by the name of a kind, or of a union whose kinds have the same answer: a `Map`. */
  readonly names: Code;
  /** The constant of the answer that every kind has, or `undefined`: where they differ, or echo something. */
  readonly common: Code;
  /** Whether a body has members. */
  readonly hasMembers: boolean;
  /** The answers of kinds and unions that have several, by name: a `Map`; `undefined` where none has. */
  readonly choices: Code | undefined;
  /** The option that chooses among them, as the members of its type. */
  readonly statuses: readonly Code[];
}

/** Describes the answers to accepted deliveries; `undefined` where all are those that receivers send anyway. */
export function describeAnswers({ kinds, unions }: Events): AnswersCode | undefined {
  const byKind = new Map(
    kinds.map(({ notification: { name, acceptances } }) => [name, acceptances] as const),
  );
  const acceptances = [...byKind.values()].flat();
  if (acceptances.every(isUsual)) return undefined;
  const constants = new Map<string, AnswersCode['constants'][number]>();
  const constantOf = (acceptance: Acceptance): string => {
    const value = answerCode(acceptance);
    const constant = constants.get(value.text) ?? { name: `answer${constants.size}`, value };
    constants.set(value.text, constant);
    return constant.name;
  };
  const defaultOf = (kind: string): string | undefined => {
    const [first] = byKind.get(kind) ?? [];
    return first === undefined || isUsual(first) ? undefined : constantOf(first);
  };
  const shared = (of: readonly string[]): string | undefined => {
    const [constant, ...rest] = new Set(of.map(defaultOf));
    return rest.length > 0 ? undefined : constant;
  };
  const membersOf = unions.map(
    (union) => [union.name, union.kinds.map(({ notification }) => notification.name)] as const,
  );
  const all = [...byKind.keys()];
  const answers = [...all.map((kind) => [kind, [kind]] as const), ...membersOf];
  const choices = answers.flatMap(([name, [first = '', ...rest]]) => {
    const possible = (byKind.get(first) ?? []).filter((acceptance) =>
      rest.every((kind) =>
        byKind.get(kind)?.some((other) => answerCode(other).text === answerCode(acceptance).text),
      ),
    );
    return possible.length > 1 ? [[name, possible] as const] : [];
  });
  const defaults = answers.flatMap(([name, of]) => {
    const constant = shared(of);
    return constant === undefined ? [] : [code`[${literal(name)}, ${identifier(constant)}]`];
  });
  const isFixed = acceptances.every(({ body }) => body === undefined || isConstant(body.value));
  return {
    names: code`new Map([${defaults}])`,
    common: identifier((isFixed && shared(all)) || 'undefined'),
    hasMembers: acceptances.some(({ body }) => body !== undefined && 'members' in body.value),
    choices:
      choices.length === 0
        ? undefined
        : code`new Map([${choices.map(
            ([name, possible]) =>
              code`[${literal(name)}, [${possible.map((it) => identifier(constantOf(it)))}]]`,
          )}])`,
    statuses: choices.map(([name, possible]) => {
      const values = joinCode(
        possible.map(({ status }) => literal(status)),
        ' | ',
      );
      return code`readonly ${memberName(name)}?: ${values};`;
    }),
    constants: [...constants.values()],
  };
}

/** Returns whether receivers send a response where the contract states none. */
function isUsual({ status, body }: Acceptance): boolean {
  return status === 200 && body === undefined;
}

function isConstant(value: AnswerValue): boolean {
  if ('members' in value) return value.members.every(([, member]) => isConstant(member));
  return 'fixed' in value;
}

function answerCode({ status, body }: Acceptance): Code {
  return object({
    status: literal(status),
    mediaType: body && literal(body.mediaType),
    value: body && valueCode(body.value),
  });
}

function valueCode(value: AnswerValue): Code {
  if ('fixed' in value) return object({ fixed: literal(value.fixed) });
  if ('echoes' in value) return object({ echoes: literal(toRead(value.echoes)) });
  const members = value.members.map(
    ([name, member]) => code`[${literal(name)}, ${valueCode(member)}]`,
  );
  return object({ members: code`new Map<string, AnswerValue>([${members}])` });
}
