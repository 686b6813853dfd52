import type { Contract, Notification, SignedBody } from '../../contract/contract.ts';
import { normalizationNodesOf } from '../../contract/normalization.ts';
import { signedElementMembers, withSignedMembers } from '../../contract/signed-members.ts';
import { describeFields } from '../../contract/written-fields.ts';
import { toRead } from '../../recognition/reads.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { type SchemaIndex, findSchema, indexSchemas } from '../../schema/references.ts';
import { type Code, code } from '../code.ts';
import { identifier, literal, object } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import { describeAnswers } from './answers.ts';
import { decisionCode } from './decision-code.ts';
import { dataFormats } from '../../recognition/data-format.ts';
import type { RecognizedForm } from '../../recognition/recognition.ts';
import type { Events } from '../../contract/events.ts';

/** A constant of the catalogue module, which kinds with the same value share. */
interface Constant {
  readonly name: string;
  readonly value: Code;
}

/** Writes the catalogue of a receiver as code, for its template. Only `keys` and `kinds` depend on open questions. */
export function describeCatalogue(
  contract: Contract,
  plan: Events,
  questions: OpenQuestions,
): object {
  const { routes, methods, reads, kindOf, resembles, bySchema, forms, formOf } =
    contract.recognition;
  const answers = describeAnswers(plan);
  const keys = new Map<string, Constant>();
  const normalizations = new Map<string, Constant>();
  const index = indexSchemas(contract);
  // If a value has another form on the wire, lowering has derived the schema of that. Most contracts have none.
  const hasWireSchemas = contract.schemas.some(
    ({ origin }) => origin === 'wire' || origin === 'variant',
  );
  const keyOf = (expressions: Notification['dedupeBy']): Code | undefined =>
    expressions &&
    share(
      keys,
      'key',
      questions.valueOf(expressions, (list) =>
        literal(list.map((expression) => toRead(expression))),
      ),
    );
  return {
    kinds: mapCode(
      plan.kinds.map(({ notification, payload }) => {
        const { name, dedupeBy, orderedBy, signedBody } = notification;
        const nodes = withSignedMembers(
          hasWireSchemas ? normalizationNodesOf(payload.definition, index) : [],
          signedBody?.members ?? [],
        );
        const kind = object({
          check: object(checkMembers(payload.typeName)),
          representations: representationsCode(notification, index),
          normalization:
            nodes.length === 0 ? undefined : share(normalizations, 'normalization', literal(nodes)),
          signed: signedBody && signedCode(signedBody),
          dedupeBy: keyOf(dedupeBy),
          orderedBy: keyOf(orderedBy),
        });
        return [name, kind];
      }),
    ),
    unions: mapCode(
      plan.unions.map(({ name, kinds }) => [
        kinds.map(({ notification }) => notification.name).join(' '),
        literal(name),
      ]),
    ),
    routes: literal(routes),
    methods: literal(methods),
    reads: literal(reads),
    kindOf: decisionCode(kindOf, reads, 'no kind'),
    resembles: resembles && decisionCode(resembles, reads, 'no kind'),
    bySchema: bySchema.length === 0 ? undefined : literal(bySchema),
    forms: mapCode(forms.map((form) => [form.key, formCode(contract, form, index)])),
    formOf: decisionCode(formOf, reads, 'the canonical format'),
    fields: fieldsCode(contract, plan),
    selects: plan.kinds.some(({ notification }) => haveSeveralSchemas(notification.readings)),
    answers,
    choices: answers?.choices,
    keys: [...keys.values()],
    normalizations: [...normalizations.values()],
  };
}

/** Returns the representations of a kind with their schemas; `undefined` if all have the same. */
function representationsCode({ readings }: Notification, index: SchemaIndex): Code | undefined {
  if (!haveSeveralSchemas(readings)) return undefined;
  return code`[${readings.map(({ mediaType, schema }) =>
    object({
      mediaType: literal(mediaType),
      check: object(checkMembers(findSchema(index, schema).typeName)),
    }),
  )}]`;
}

function haveSeveralSchemas(readings: Notification['readings']): boolean {
  return new Set(readings.map(({ schema }) => schema)).size > 1;
}

/** Returns how the kinds are written that are not JSON; `undefined` if a receiver distinguishes none of them. */
function fieldsCode(contract: Contract, plan: Events): Code | undefined {
  const formats = new Set(plan.kinds.flatMap(({ notification }) => dataFormats(notification)));
  const isRead = formats.has('form') || formats.has('query');
  if (!isRead && !(formats.has('xml') && formats.size > 1)) return undefined;
  return mapCode(
    plan.kinds.flatMap(({ notification }) => {
      const fields = describeFields(contract, notification);
      return fields === undefined ? [] : [[notification.name, literal(fields)] as const];
    }),
  );
}

/** Returns what signatures in the body cover. */
function signedCode({ each, members }: SignedBody): Code {
  return object({
    each: each === undefined ? undefined : literal(pointerMembers(each)),
    members: literal(members.map(({ path }) => path)),
  });
}

/** Returns the name of the constant with a value. Kinds with the same value share it. */
function share(constants: Map<string, Constant>, prefix: string, value: Code): Code {
  const constant = constants.get(value.text) ?? { name: `${prefix}${constants.size + 1}`, value };
  constants.set(value.text, constant);
  return identifier(constant.name);
}

function formCode(
  contract: Contract,
  { variant, kinds, schemas }: RecognizedForm,
  index: SchemaIndex,
): Code {
  const signed = signedElementMembers(contract, variant);
  return object({
    name: literal(variant.name),
    kinds: literal(kinds),
    each: variant.each === undefined ? undefined : literal(pointerMembers(variant.each)),
    as: literal(pointerMembers(variant.as ?? '')),
    signed: signed.length === 0 ? undefined : literal(signed),
    rename: mapCode(Object.entries(variant.rename).map(([alias, name]) => [alias, literal(name)])),
    checks: code`[${schemas.map((schema) =>
      object({
        ...checkMembers(index.get(schema.name)?.typeName ?? ''),
        kinds: schemas.length === 1 ? undefined : literal(schema.kinds),
      }),
    )}]`,
  });
}

function checkMembers(typeName: string): Readonly<Record<string, Code>> {
  return {
    accepts: code`contract.${identifier(`is${typeName}`)}`,
    violations: code`contract.${identifier(`validate${typeName}`)}`,
  };
}

function mapCode(entries: readonly (readonly [string, Code])[]): Code {
  return code`new Map([${entries.map(([name, value]) => code`[${literal(name)}, ${value}]`)}])`;
}
