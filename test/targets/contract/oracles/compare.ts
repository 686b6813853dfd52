import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile as compileSchema } from 'json-schema-to-typescript';
import type { Contract } from '../../../../generator/contract/contract.ts';
import type { Schema } from '../../../../generator/schema/model.ts';
import { type Json, type JsonObject, isJsonObject } from '../../../../generator/json/json.ts';
import { contractTarget } from '../../../../generator/targets/contract/target.ts';
import { emitFiles } from '../../emit-project.ts';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** An independent writer of types for JSON Schema. */
export type Oracle = 'json-schema-to-typescript' | 'openapi-typescript';

/** A schema whose type and the oracle's type are not assignable to each other. */
export interface Difference {
  readonly schema: string;
  readonly oracle: Oracle;
  /** Which assignment TypeScript refuses. */
  readonly refused: 'ours to theirs' | 'theirs to ours';
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
    await writeFile(join(folder, 'json-schema-to-typescript.ts'), await writeWithSchemas(contract));
    await writeFile(join(folder, 'openapi-typescript.ts'), await writeWithOpenapi(contract));
    const lines = contract.schemas.flatMap((schema) => assignmentsOf(schema));
    await writeFile(
      join(folder, 'compare.ts'),
      [...header, ...lines.map(({ text }) => text)].join('\n'),
    );
    const refused = refusedLines(folder);
    return lines
      .filter((_, index) => refused.has(header.length + index))
      .map(({ schema, oracle, refused: side }) => ({ schema, oracle, refused: side }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const header = [
  "import type * as ours from './contract/src/index.ts';",
  "import type * as theirs from './json-schema-to-typescript.ts';",
  "import type { components } from './openapi-typescript.ts';",
];

function assignmentsOf({ typeName }: Schema): readonly (Difference & { readonly text: string })[] {
  const other = {
    'json-schema-to-typescript': `theirs.${typeName}`,
    'openapi-typescript': `components['schemas']['${typeName}']`,
  };
  return (Object.keys(other) as Oracle[]).flatMap((oracle) => {
    const assign = (from: string, to: string): string =>
      `export const ${typeName}${oracle[0]}${from === other[oracle] ? 'T' : 'O'} = (value: ${from}): ${to} => value;`;
    const own = `ours.${typeName}`;
    return [
      { schema: typeName, oracle, refused: 'ours to theirs', text: assign(own, other[oracle]) },
      { schema: typeName, oracle, refused: 'theirs to ours', text: assign(other[oracle], own) },
    ] as const;
  });
}

/** The definitions by type name, their references rewritten. */
function definitions(contract: Contract, prefix: string): JsonObject {
  const names = new Map(
    contract.schemas.map(({ name, typeName }) => [`#/$defs/${name}`, typeName]),
  );
  const rewrite = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map(rewrite);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const target = key === '$ref' && typeof member === 'string' ? names.get(member) : undefined;
        return [key, target === undefined ? rewrite(member ?? null) : `${prefix}${target}`];
      }),
    );
  };
  return Object.fromEntries(
    contract.schemas.map(({ typeName, definition }) => [typeName, rewrite(definition)]),
  );
}

async function writeWithSchemas(contract: Contract): Promise<string> {
  const $defs = definitions(contract, '#/$defs/');
  // A title would name the type.
  const untitled = JSON.parse(JSON.stringify($defs), (key, value: Json) =>
    isJsonObject(value) && key !== 'properties' && typeof value['title'] === 'string'
      ? { ...value, title: undefined }
      : value,
  ) as JsonObject;
  const root = {
    $defs: untitled,
    anyOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })),
  };
  return await compileSchema(root, 'AllOfThem', {
    additionalProperties: false,
    bannerComment: '',
    declareExternallyReferenced: true,
    format: false,
    strictIndexSignatures: false,
    $refOptions: { resolve: { http: false, file: false } },
  });
}

async function writeWithOpenapi(contract: Contract): Promise<string> {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Schemas', version: '1.0.0' },
    paths: {},
    components: { schemas: definitions(contract, '#/components/schemas/') },
  };
  const nodes = await openapiTS(JSON.stringify(document), {
    defaultNonNullable: false,
    silent: true,
  });
  return astToString(nodes);
}

/** The lines of `compare.ts`, counted from 0, in which TypeScript refuses the assignment. */
function refusedLines(folder: string): ReadonlySet<number> {
  const file = join(folder, 'compare.ts');
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  });
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error('compare.ts is not there');
  return new Set(
    [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()].map(
      (diagnostic) => {
        const { file: where, start = 0 } = diagnostic;
        if (where === source) return source.getLineAndCharacterOfPosition(start).line;
        const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
        throw new Error(`${where?.fileName ?? ''}: ${message}`);
      },
    ),
  );
}
