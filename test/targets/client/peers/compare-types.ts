import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract, Operation } from '../../../../generator/contract/contract.ts';
import { literal } from '../../../../generator/targets/escape.ts';
import { clientTarget } from '../../../../generator/targets/client/target.ts';
import { groupOf } from '../../../../generator/contract/inputs.ts';
import { callsOf } from '../../../../generator/contract/calls.ts';
import { failuresOf } from '../../../../generator/contract/outcomes.ts';
import { contractTarget } from '../../../../generator/targets/contract/target.ts';
import { refusedLines } from '../../printing/types/oracles/refused-lines.ts';
import { generateProject } from '../../emit-project.ts';

/** The types that are compared for one place of a contract. */
interface Pair {
  readonly place: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A place of a contract for which the two types are not assignable to each other. */
interface TypeDifference {
  readonly place: string;
  /** The assignment that TypeScript refuses, as the types are or with all members required. */
  readonly refused: 'ours to theirs' | 'theirs to ours';
  readonly message: string;
}

/** What a comparison has found. */
export interface Comparison {
  /** The number of places whose types were compared. */
  readonly compared: number;
  readonly differences: readonly TypeDifference[];
}

const schemasImport = "import type * as schemas from './contract/src/index.ts';";

const header: readonly string[] = [
  schemasImport,
  "import type * as client from './client/src/index.ts';",
  "import type { components, paths, webhooks } from './theirs.ts';",
  // `any` is assignable to everything; then the comparison fails.
  'type Stated<T> = 0 extends 1 & T ? never : T;',
  // A type that lacks an optional member is assignable to one that has it, unless the members are required.
  'type Complete<T> = T extends string | number | boolean | undefined | null ? T : { [key in keyof T]-?: Complete<T[key]> };',
  'type Names<T> = `${Exclude<T, symbol | undefined | null> & (string | number)}`;',
  'type Keys<T> = [T] extends [never] ? never : Names<keyof T>;',
];

/**
 * Compares the types of a contract's packages with those of openapi-typescript: of every component schema, and of the
 * parameters, bodies and responses of every operation and webhook.
 * @param document the OpenAPI document that openapi-typescript reads
 * @param replaced the names of component schemas for which other types of openapi-typescript refer to our type, so that
 * a known difference neither repeats at every place that refers to the schema nor hides another one there
 */
export async function compareTypes(
  contract: Contract,
  document: object,
  replaced: ReadonlySet<string>,
): Promise<Comparison> {
  const targets = [contractTarget, clientTarget];
  const options = { validators: false, unformatted: true };
  await using generated = await generateProject(contract, targets, options);
  const nodes = await openapiTS(JSON.stringify(document), {
    // A property with a default may be absent.
    defaultNonNullable: false,
    // `{ type: object }` accepts any members.
    emptyObjectsUnknown: true,
    silent: true,
  });
  // Its types for members that are required beside a type with null do not compile.
  const theirs = [
    '// @ts-nocheck',
    schemasImport,
    astToString(replaceSchemas(nodes, contract, replaced)),
  ];
  await writeFile(join(generated.project, 'theirs.ts'), theirs.join('\n'));
  const pairs = [
    ...schemaPairs(contract, replaced),
    ...operationPairs(contract),
    ...webhookPairs(contract),
  ];
  const assignments = [
    ...pairs.flatMap(({ place, ours, theirs }) => both(place, ours, theirs)),
    ...pairs.flatMap(({ place, ours, theirs }) =>
      both(place, `Complete<${ours}>`, `Complete<${theirs}>`),
    ),
  ];
  const lines = assignments.map(({ text }, index) => `export const _${index} = ${text};`);
  await writeFile(join(generated.project, 'compare.ts'), [...header, ...lines].join('\n'));
  const differences = new Map<string, TypeDifference>();
  for (const [line, message] of refusedLines(generated.project)) {
    const assignment = assignments[line - header.length];
    // A faulty import would make types `any`.
    if (assignment === undefined) throw new Error(`compare.ts:${line + 1}: ${message}`);
    const { place, refused } = assignment;
    differences.set(`${place} ${refused}`, { place, refused, message });
  }
  return { compared: pairs.length, differences: [...differences.values()] };
}

/** Returns the types with ours in place of some schemas, whose types follow with the name that `asWritten` returns. */
function replaceSchemas(
  nodes: readonly ts.Node[],
  contract: Contract,
  replaced: ReadonlySet<string>,
): ts.Node[] {
  const typeNames = new Map(contract.schemas.map(({ name, typeName }) => [name, typeName]));
  const inType = (
    type: ts.TypeNode,
    change: (member: ts.PropertySignature) => readonly ts.PropertySignature[],
  ) =>
    ts.isTypeLiteralNode(type)
      ? ts.factory.createTypeLiteralNode(
          type.members.flatMap((member) =>
            ts.isPropertySignature(member) ? change(member) : member,
          ),
        )
      : type;
  const withType = (
    { modifiers, name, questionToken }: ts.PropertySignature,
    type: ts.TypeNode | undefined,
    newName: ts.PropertyName = name,
  ): ts.PropertySignature =>
    ts.factory.createPropertySignature(modifiers, newName, questionToken, type);
  return nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') return node;
    const members = node.members.map((group) => {
      if (!ts.isPropertySignature(group) || group.type === undefined) return group;
      if (nameOf(group) !== 'schemas') return group;
      return withType(
        group,
        inType(group.type, (member) => {
          const name = nameOf(member);
          if (!replaced.has(name)) return [member];
          const ours = ts.factory.createTypeReferenceNode(`schemas.${typeNames.get(name) ?? ''}`);
          const copy = ts.factory.createStringLiteral(asWritten(name));
          return [withType(member, ours), withType(member, member.type, copy)];
        }),
      );
    });
    return ts.factory.createInterfaceDeclaration(
      node.modifiers,
      node.name,
      undefined,
      undefined,
      members,
    );
  });
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

/** Returns the name of the type that openapi-typescript writes for a schema that is replaced. */
function asWritten(name: string): string {
  return `${name}, as written`;
}

interface Assignment extends Omit<TypeDifference, 'message'> {
  readonly text: string;
}

function both(place: string, ours: string, theirs: string): readonly Assignment[] {
  const assign = (from: string, to: string): string => `(value: ${from}): Stated<${to}> => value`;
  return [
    { place, refused: 'ours to theirs', text: assign(ours, theirs) },
    { place, refused: 'theirs to ours', text: assign(theirs, ours) },
  ];
}

const text = (value: string): string => literal(value).text;
const of = (...members: readonly string[]): string =>
  members.map((member) => `[${text(member)}]`).join('');

function schemaPairs({ schemas }: Contract, replaced: ReadonlySet<string>): readonly Pair[] {
  return schemas.flatMap(({ name, typeName, pointer, origin, variantOf }) => {
    const component = /^openapi#\/components\/schemas\/([^/]+)$/u.exec(pointer)?.[1];
    if (component === undefined || (origin !== 'component' && origin !== 'request')) return [];
    const schemaName = component.replaceAll('~1', '/').replaceAll('~0', '~');
    const member = replaced.has(schemaName) ? asWritten(schemaName) : schemaName;
    const theirs = `components${of('schemas', member)}`;
    const place = variantOf === undefined ? name : `${variantOf}, sent`;
    return [{ place: `schema ${place}`, ours: `schemas.${typeName}`, theirs }];
  });
}

function operationPairs(contract: Contract): readonly Pair[] {
  return callsOf(contract).flatMap((plan) => {
    const { operation, inputType, responseType, failureType } = plan;
    const { method, path, requestBody, responses } = operation;
    const theirs = `paths${of(path, method.toLowerCase())}`;
    const input = `client.${inputType}`;
    const fails = failuresOf(operation).length > 0;
    const response = `(client.${responseType}${fails ? ` | client.${failureType}` : ''})`;
    const place = (part: string): string => `${method} ${path} ${part}`;
    const content = requestBody?.content ?? [];
    const body = `NonNullable<${theirs}['requestBody']>['content']`;
    const pairs: Pair[] = parameterPairs(operation, input, theirs, place);
    if (content.length > 0) {
      pairs.push({
        place: place('media types'),
        ours: `Names<${input}['mediaType']>`,
        theirs: `Keys<${body}>`,
      });
    }
    for (const { mediaType } of content) {
      const chosen = `Extract<${input}, { readonly mediaType?: ${text(mediaType)} }>['body']`;
      pairs.push({
        place: place(mediaType),
        ours: `NonNullable<${chosen}>`,
        theirs: `NonNullable<${body}${of(mediaType)}>`,
      });
    }
    if (responses.length > 0)
      pairs.push({
        place: place('statuses'),
        ours: `Names<${response}['declaredStatus']>`,
        theirs: `Keys<${theirs}['responses']>`,
      });
    for (const { status, content: answers } of responses) {
      const key = /^\d+$/u.test(status) ? `[${status}]` : of(status);
      const declared = `NonNullable<${theirs}['responses']${key}['content']>`;
      const answer = `Extract<${response}, { readonly declaredStatus: ${text(status)} }>`;
      pairs.push({
        place: place(`${status} media types`),
        ours: `Names<${answer}['mediaType']>`,
        theirs: `Keys<${declared}>`,
      });
      for (const { mediaType } of answers)
        pairs.push({
          place: place(`${status} ${mediaType}`),
          ours: `Extract<${answer}, { readonly mediaType: ${text(mediaType)} }>['body']`,
          theirs: `${declared}${of(mediaType)}`,
        });
    }
    return pairs;
  });
}

function parameterPairs(
  { parameters }: Operation,
  input: string,
  theirs: string,
  place: (part: string) => string,
): Pair[] {
  return Object.entries(groupOf).flatMap(([location, group]) => {
    const declared = `${theirs}['parameters'][${text(location)}]`;
    const isDeclared = parameters.some((parameter) => parameter.in === location);
    const ours = isDeclared ? `${input}['${group}']` : 'undefined';
    return [{ place: place(`${location} parameters`), ours, theirs: declared }];
  });
}

function webhookPairs({ notifications, schemas }: Contract): readonly Pair[] {
  const typeNames = new Map(schemas.map(({ name, typeName }) => [name, typeName]));
  return notifications.flatMap(({ pointer, contentType, payload }) => {
    const [, name = '', method = ''] = /^openapi#\/webhooks\/([^/]+)\/(\w+)/u.exec(pointer) ?? [];
    const typeName = typeNames.get(payload ?? '');
    if (name === '' || typeName === undefined) return [];
    const body = `NonNullable<webhooks${of(name, method, 'requestBody')}>`;
    return [
      {
        place: `webhook ${name}`,
        ours: `schemas.${typeName}`,
        theirs: `${body}${of('content', contentType)}`,
      },
    ];
  });
}
