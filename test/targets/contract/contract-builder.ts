import { completeContract, type StatedContract } from '../../../generator/contract/complete.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { JsonSchema, Schema } from '../../../generator/schema/model.ts';
import { toEnumeration } from '../../../generator/contract/enumerations.ts';
import { lowerRecognition } from '../../../generator/contract/lower/recognition.ts';
import { withReadData } from '../../../generator/contract/representations.ts';
import { toTypeName } from '../../../generator/contract/names.ts';
import { referencesOf } from '../../../generator/schema/references.ts';
import { type Json, isJsonObject } from '../../../generator/json/json.ts';

/** A contract of schemas alone, each `name: definition` with references to `#/$defs/<name>`. */
export function buildContract(
  definitions: Iterable<readonly [string, JsonSchema]>,
  {
    notifications = [],
    ...more
  }: Partial<Omit<StatedContract, 'schemas' | 'info' | 'recognition'>> & {
    readonly info?: Partial<Contract['info']>;
  } = {},
): Contract {
  const node = { pointer: 'openapi#', source: [] } as const;
  const schemas = Array.from(definitions, ([name, definition]) => buildSchema(name, definition));
  return completeContract({
    operations: [],
    security: [],
    unstated: [],
    messages: [],
    workflows: [],
    documents: {},
    ...more,
    ...lowerRecognition(notifications.map(withReadData), { schemas }),
    info: { kind: 'info', ...node, title: 'Trade', version: '1.2.3', servers: [], ...more.info },
    schemas,
  });
}

function buildSchema(name: string, definition: JsonSchema): Schema {
  const keywords = isJsonObject(definition) ? definition : {};
  const text = (value: Json | undefined): string | undefined =>
    typeof value === 'string' ? value : undefined;
  const title = text(keywords['title']);
  const description = text(keywords['description']);
  const enumeration = toEnumeration(definition);
  const { 'x-source': source, examples } = keywords;
  const typeName = toTypeName(name);
  return {
    kind: 'schema',
    pointer: 'openapi#/components/schemas',
    source: typeof source === 'string' ? [source] : [],
    name,
    typeName,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    deprecated: keywords['deprecated'] === true,
    origin: 'component',
    definition,
    references: referencesOf(definition),
    ...(enumeration === undefined ? {} : { enumeration }),
    variants: [],
    examples: Array.isArray(examples) ? (examples as readonly Json[]) : [],
  };
}
