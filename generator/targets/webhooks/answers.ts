import type { Answer, AnswerValue } from '../../contract/contract.ts';
import { toRead } from '../../recognition/reads.ts';
import { type Code, code } from '../code.ts';
import { identifier, literal, object } from '../escape.ts';
import { answerOf, type Events } from '../../contract/events.ts';

/** The responses that a contract states, as code. Kinds with the same answer share a constant. */
interface AnswersCode {
  readonly constants: readonly { readonly name: string; readonly value: Code }[];
  /** The constants by the name of a kind, or of a union whose kinds have the same answer: a `Map`. */
  readonly names: Code;
  /** The constant of the answer that every kind has, or `undefined`: where they differ, or echo something. */
  readonly common: Code;
  /** Whether a body has members. */
  readonly hasMembers: boolean;
}

/** Describes the answers to accepted deliveries; `undefined` where the contract states none. */
export function describeAnswers({ kinds, unions }: Events): AnswersCode | undefined {
  const constants = new Map<string, Code>();
  const indexOf = (answer: Answer | undefined): number | undefined => {
    if (answer === undefined) return undefined;
    const constant = answerCode(answer);
    constants.set(constant.text, constant);
    return [...constants.keys()].indexOf(constant.text);
  };
  const byKind = new Map(
    kinds.map(({ notification }) => [notification.name, indexOf(answerOf(notification))] as const),
  );
  if (constants.size === 0) return undefined;
  const shared = (names: readonly string[]): number | undefined => {
    const [index, ...rest] = new Set(names.map((name) => byKind.get(name)));
    return rest.length > 0 ? undefined : index;
  };
  const byUnion = unions.map((union) => {
    const names = union.kinds.map(({ notification }) => notification.name);
    return [union.name, shared(names)] as const;
  });
  const common = shared([...byKind.keys()]);
  const stated = kinds.flatMap(({ notification }) => answerOf(notification) ?? []);
  const isFixed = stated.every(({ value }) => isConstant(value));
  return {
    constants: [...constants.values()].map((value, index) => ({ name: `answer${index}`, value })),
    names: code`new Map([${[...byKind, ...byUnion].flatMap(([name, index]) =>
      index === undefined ? [] : [code`[${literal(name)}, ${identifier(`answer${index}`)}]`],
    )}])`,
    common: identifier(common !== undefined && isFixed ? `answer${common}` : 'undefined'),
    hasMembers: stated.some(({ value }) => 'members' in value),
  };
}

function isConstant(value: AnswerValue): boolean {
  if ('members' in value) return value.members.every(([, member]) => isConstant(member));
  return 'fixed' in value;
}

function answerCode({ status, mediaType, value }: Answer): Code {
  return object({
    status: literal(status),
    mediaType: literal(mediaType),
    value: valueCode(value),
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
