import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile as compileSchema } from 'json-schema-to-typescript';
import type { Contract } from '../../../../../generator/contract/contract.ts';
import type { Schema } from '../../../../../generator/schema/model.ts';
import { referenceOf } from '../../../../../generator/schema/references.ts';
import { mapSchema } from '../../../../../generator/schema/visit.ts';
import { type Json, type JsonObject, isJsonObject } from '../../../../../generator/json/json.ts';
import { contractTarget } from '../../../../../generator/targets/contract/target.ts';
import { emitFiles } from '../../../emit-project.ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { refusedLines } from './refused-lines.ts';

/** An independent library that writes types for JSON Schema. */
interface Oracle {
  readonly name: string;
  readonly write: (contract: Contract) => Promise<string>;
  /** What the module of its types exports. */
  readonly exports: string;
  readonly typeOf: (typeName: string) => string;
}

const oracles: readonly Oracle[] = [
  {
    name: 'json-schema-to-typescript',
    write: writeWithSchemas,
    exports: 'AllOfThem',
    typeOf: (typeName) => `AllOfThem['${typeName}']`,
  },
  {
    name: 'openapi-typescript',
    write: writeWithOpenapi,
    exports: 'components',
    typeOf: (typeName) => `components['schemas']['${typeName}']`,
  },
];

/** A schema whose type and the oracle's type are not assignable to each other. */
export interface Difference {
  readonly schema: string;
  readonly oracle: string;
  /** Which assignment TypeScript refuses; `all` where the oracle fails, with `*` for the schema. */
  readonly refused: 'ours to theirs' | 'theirs to ours' | 'all';
  /** What TypeScript or the oracle says of it. */
  readonly message: string;
}

interface Assignment extends Omit<Difference, 'message'> {
  readonly text: string;
}

/**
 * Compares the generated type of every schema of a contract with the types that two independent libraries write for the
 * same schema. Types of which each is assignable to the other under `strict` are equal.
 */
export async function compareWithOracles(contract: Contract): Promise<readonly Difference[]> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-oracles-'));
  try {
    const files = await emitFiles(contractTarget, contract, { validators: false });
    for (const [path, text] of files) {
      if (!path.endsWith('.ts')) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const differences: Difference[] = [];
    const assignments: Assignment[] = [];
    const header = [
      "import type * as ours from './contract/src/index.ts';",
      // `any` is assignable to everything; then the comparison fails.
      'type Stated<T> = 0 extends 1 & T ? never : T;',
    ];
    for (const oracle of oracles) {
      try {
        await writeFile(join(folder, `${oracle.name}.ts`), await oracle.write(contract));
      } catch (error) {
        const message = String(error);
        differences.push({ schema: '*', oracle: oracle.name, refused: 'all', message });
        continue;
      }
      header.push(`import type { ${oracle.exports} } from './${oracle.name}.ts';`);
      assignments.push(...contract.schemas.flatMap((schema) => assignmentsOf(schema, oracle)));
    }
    const lines = assignments.map(({ text }, index) => `export const _${index} = ${text};`);
    await writeFile(join(folder, 'compare.ts'), [...header, ...lines].join('\n'));
    for (const [line, message] of refusedLines(folder)) {
      const assignment = assignments[line - header.length];
      // A faulty import would make types `any`.
      if (assignment === undefined) throw new Error(`compare.ts:${line + 1}: ${message}`);
      const { text: _, ...difference } = assignment;
      differences.push({ ...difference, message });
    }
    return differences;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function assignmentsOf({ typeName }: Schema, oracle: Oracle): readonly Assignment[] {
  const ours = `ours.${typeName}`;
  const theirs = oracle.typeOf(typeName);
  const assign = (from: string, to: string): string => `(value: ${from}): Stated<${to}> => value`;
  const common = { schema: typeName, oracle: oracle.name };
  return [
    { ...common, refused: 'ours to theirs', text: assign(ours, theirs) },
    { ...common, refused: 'theirs to ours', text: assign(theirs, ours) },
  ];
}

/** The definitions by type name, their references rewritten, and each schema changed. */
function definitions(
  contract: Contract,
  prefix: string,
  change: (schema: JsonObject) => JsonObject,
): JsonObject {
  const names = new Map(contract.schemas.map(({ name, typeName }) => [name, typeName]));
  const rewrite = (schema: JsonObject): JsonObject => {
    const typeName = names.get(referenceOf(schema) ?? '');
    return change(typeName === undefined ? schema : { ...schema, $ref: `${prefix}${typeName}` });
  };
  return Object.fromEntries(
    contract.schemas.map(({ typeName, definition }) => [typeName, mapSchema(definition, rewrite)]),
  );
}

async function writeWithSchemas(contract: Contract): Promise<string> {
  const $defs = definitions(contract, '#/$defs/', withoutConventions);
  // A property for each schema, because the library renames types.
  const root = {
    $defs,
    type: 'object' as const,
    properties: Object.fromEntries(
      Object.keys($defs).map((name) => [name, { $ref: `#/$defs/${name}` }]),
    ),
    required: Object.keys($defs),
  };
  return await compileSchema(root, 'AllOfThem', {
    additionalProperties: false,
    // We write arrays of any length, not tuples of each possible length.
    ignoreMinAndMaxItems: true,
    bannerComment: '',
    declareExternallyReferenced: true,
    format: false,
    strictIndexSignatures: false,
    $refOptions: { resolve: { http: false, file: false } },
  });
}

const annotations = /^(?:default|deprecated|description|examples?|readOnly|title|writeOnly|x-.*)$/u;

/**
 * Removes from a schema what json-schema-to-typescript takes for a constraint and is none: a `title` names the type, a
 * `default` is taken for a `type`, a schema of a `description` alone for an object, and `{ type: object }` for an object
 * without members.
 */
function withoutConventions(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !annotations.test(key)),
  );
  const parts = (Array.isArray(allOf) ? (allOf as readonly Json[]) : []).filter(
    (part) => !isJsonObject(part) || Object.keys(part).length > 0,
  );
  if (parts.length > 0) return { ...rest, allOf: parts };
  const { type, properties = {}, additionalProperties = true } = rest;
  const isOpen = type === 'object' && Object.keys(properties as JsonObject).length === 0;
  return isOpen ? { ...rest, additionalProperties } : rest;
}

/** Removes what openapi-typescript takes for a constraint: it gives the member that discriminates a literal type. */
function withoutDiscriminator(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'discriminator'));
}

async function writeWithOpenapi(contract: Contract): Promise<string> {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Schemas', version: '1.0.0' },
    paths: {},
    components: { schemas: definitions(contract, '#/components/schemas/', withoutDiscriminator) },
  };
  const nodes = await openapiTS(JSON.stringify(document), {
    // A property with a default may be absent.
    defaultNonNullable: false,
    // `{ type: object }` accepts any members.
    emptyObjectsUnknown: true,
    silent: true,
  });
  return astToString(nodes);
}
