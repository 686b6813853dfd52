import type { Contract } from '../../contract/contract.ts';
import { type AbsentNode, absentNodesOf } from '../../contract/lower/absent-members.ts';
import type { Decision, Next } from '../../contract/lower/decision.ts';
import { toRead } from '../../contract/lower/reads.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { indexSchemas } from '../../schema/references.ts';
import { type Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import type { PlannedForm, PlannedKind, WebhookPlan } from './plan.ts';

/** The parts of the catalogue module as code. */
export interface CatalogueCode {
  /** The constants that `kinds` refer to: the expressions by which repeated deliveries are recognized. */
  readonly keys: readonly { readonly name: string; readonly reads: Code }[];
  /** The constants that `kinds` refer to: the members that count as missing. */
  readonly absents: readonly { readonly name: string; readonly nodes: Code }[];
  readonly kinds: Code;
  readonly unions: Code;
  readonly routes: Code;
  readonly methods: Code;
  readonly reads: Code;
  readonly kindOf: Code;
  readonly forms: Code;
  readonly formOf: Code;
}

/** Writes the catalogue of a receiver as code. Only `keys` and `kinds` depend on answers to open questions. */
export function describeCatalogue(
  contract: Contract,
  plan: WebhookPlan,
  questions: OpenQuestions,
): CatalogueCode {
  const keys = new Map<string, { readonly name: string; readonly reads: Code }>();
  const absents = new Map<string, { readonly name: string; readonly nodes: Code }>();
  const index = indexSchemas(contract);
  const typeNames = new Map(contract.schemas.map(({ name, typeName }) => [name, typeName]));
  return {
    kinds: mapCode(
      plan.kinds.map((kind) => {
        const nodes = absentNodesOf(kind.payload.definition, index);
        const absent = nodes.length === 0 ? undefined : nameAbsent(nodes, absents);
        return [kind.notification.name, kindCode(kind, absent, questions, keys)];
      }),
    ),
    unions: mapCode(
      plan.unions.map(({ name, kinds }) => [
        kinds.map(({ notification }) => notification.name).join(' '),
        literal(name),
      ]),
    ),
    routes: literal(
      plan.routes.map(({ segments, kinds }) => ({
        segments: segments.map((segment) =>
          typeof segment === 'string' ? segment : { ...segment },
        ),
        kinds: kinds.map((entry) => ({ ...entry })),
      })),
    ),
    methods: literal(plan.methods),
    reads: literal(plan.reads),
    kindOf: decisionCode(plan.kindOf),
    forms: mapCode(plan.forms.map((form) => [form.key, formCode(form, typeNames)])),
    formOf: decisionCode(plan.formOf),
    keys: [...keys.values()],
    absents: [...absents.values()],
  };
}

function kindCode(
  { notification, payload }: PlannedKind,
  absent: string | undefined,
  questions: OpenQuestions,
  keys: Map<string, { readonly name: string; readonly reads: Code }>,
): Code {
  const { dedupeBy } = notification;
  const members = [code`check: ${checkCode(payload.typeName)}`];
  if (absent !== undefined) members.push(code`absent: ${identifier(absent)}`);
  if (dedupeBy !== undefined) {
    const reads = questions.valueOf(dedupeBy, (expressions) =>
      literal(expressions.map((expression) => toRead(expression))),
    );
    const key = keys.get(reads.text) ?? { name: `key${keys.size + 1}`, reads };
    keys.set(reads.text, key);
    members.push(code`dedupeBy: ${identifier(key.name)}`);
  }
  return code`{ ${joinCode(members, ', ')} }`;
}

/** Returns the name of the constant for the members that count as missing. Kinds with the same members share it. */
function nameAbsent(
  nodes: readonly AbsentNode[],
  absents: Map<string, { readonly name: string; readonly nodes: Code }>,
): string {
  const written = literal(
    nodes.map(({ values, members, items }) => ({
      values: values.map(([name, list]) => [name, [...list]]),
      members: members.map(([name, node]) => [name, node]),
      ...(items === undefined ? {} : { items }),
    })),
  );
  const known = absents.get(written.text) ?? { name: `absent${absents.size + 1}`, nodes: written };
  absents.set(written.text, known);
  return known.name;
}

function formCode({ variant, kinds }: PlannedForm, typeNames: ReadonlyMap<string, string>): Code {
  const rename = Object.entries(variant.rename).map(
    ([alias, name]) => [alias, literal(name)] as const,
  );
  const members = [
    code`name: ${literal(variant.name)}`,
    code`kinds: ${literal(kinds)}`,
    ...(variant.each === undefined ? [] : [code`each: ${literal(pointerMembers(variant.each))}`]),
    code`as: ${literal(pointerMembers(variant.as ?? ''))}`,
    code`rename: ${mapCode(rename)}`,
    code`check: ${checkCode(typeNames.get(variant.schema) ?? '')}`,
  ];
  return code`{ ${joinCode(members, ', ')} }`;
}

function checkCode(typeName: string): Code {
  return code`{ accepts: contract.${identifier(`is${typeName}`)}, violations: contract.${identifier(`validate${typeName}`)} }`;
}

function mapCode(entries: readonly (readonly [string, Code])[]): Code {
  return code`new Map([${joinCode(
    entries.map(([name, value]) => code`[${literal(name)}, ${value}]`),
    ', ',
  )}])`;
}

function decisionCode({ nodes, start }: Decision): Code {
  const written = nodes.map(({ read, values, types, rest }) => {
    const pairs = values.map(([value, next]) => code`[${literal(value)}, ${nextCode(next)}]`);
    const members = [
      code`read: ${read}`,
      ...(pairs.length === 0
        ? []
        : [code`values: new Map<unknown, Next>([${joinCode(pairs, ', ')}])`]),
      ...(types.length === 0
        ? []
        : [
            code`types: { ${joinCode(
              types.map(([type, next]) => code`${memberName(type)}: ${nextCode(next)}`),
              ', ',
            )} }`,
          ]),
      code`rest: ${nextCode(rest)}`,
    ];
    return code`{ ${joinCode(members, ', ')} }`;
  });
  return code`{ nodes: [${joinCode(written, ', ')}], start: ${nextCode(start)} }`;
}

function nextCode(next: Next): Code {
  return literal(next);
}
