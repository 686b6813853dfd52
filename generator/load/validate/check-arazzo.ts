import type { NodeType } from '@redocly/openapi-core';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import { usesVocabulary } from '../../documents/declared-vocabulary.ts';
import type { Source } from '../sources.ts';
import {
  importArazzoRules,
  importTypes,
  type MakeVisitor,
  type SpecVersion,
} from './redocly-modules.ts';
import { BaseResolver, resolveReferences, Source as RedoclySource } from './redocly-walk.ts';

/**
 * Validates an Arazzo document with Redocly: its structure first, then what only a document with a valid structure can
 * violate. A `$ref` to another file is a problem.
 */
export async function checkArazzo(
  { path, text }: Pick<Source, 'path' | 'text'>,
  root: JsonObject,
  specVersion: SpecVersion,
): Promise<readonly LocatedProblem[]> {
  const read = await importTypes(specVersion);
  const isDeclared = usesVocabulary(root);
  const types = isDeclared ? withVocabulary(read) : read;
  const document = { source: new RedoclySource(path, text), parsed: root };
  const { walk } = await resolveReferences(document, specVersion, types, new NoFiles());
  const run = (rules: readonly MakeVisitor[]): readonly LocatedProblem[] =>
    walk(rules.map((rule) => rule({}))).map(
      ({ message, location: [at], suggest: [suggestion] }) => ({
        code: 'invalid-arazzo',
        message: suggestion === undefined ? message : `${message} Did you mean \`${suggestion}\`?`,
        members: pointerMembers((at?.pointer ?? '#').replace(/^#\/$/u, '#')),
      }),
    );
  const [structure, ...otherRules] = await importArazzoRules();
  const first = isDeclared ? [structure, unknownExtensions] : [structure];
  const problems = run(first.filter((rule) => rule !== undefined));
  return problems.length > 0 ? problems : run(otherRules);
}

/** Resolves no references to files. */
class NoFiles extends BaseResolver {
  override resolveDocument(_: string | null, uri: string): Promise<never> {
    return Promise.reject(new Error(`\`${uri}\` is another file. Use \`components/inputs\`.`));
  }
}

const text = { type: 'string' } as const;

const list = { type: 'array', items: text } as const;

const texts = (value: unknown): typeof list | typeof text => (Array.isArray(value) ? list : text);

/**
 * The vocabulary of Arazzo documents, by Redocly's names of their objects. `x-undescribed` lists steps that the contract
 * does not describe, and `x-messages` the messages of a channel that a step is about.
 */
export const arazzoVocabulary: Readonly<Record<string, NodeType['properties']>> = {
  Info: { 'x-countersign': { type: 'integer' } },
  Workflow: { 'x-source': texts, 'x-note': texts, 'x-undescribed': 'UndescribedSteps' },
  Step: { 'x-source': texts, 'x-note': texts, 'x-messages': list },
};

/** Reports extensions that the description of an object does not have. */
const unknownExtensions: MakeVisitor = () => ({
  any(node: unknown, context) {
    const { type, location } = context;
    const described = Object.keys(type.properties);
    for (const key of isJsonObject(node) && type.extensionsPrefix !== undefined
      ? Object.keys(node)
      : []) {
      if (!key.startsWith('x-') || described.includes(key)) continue;
      const closest = didYouMean(key, described);
      const message = `${quote(key)} is not part of the vocabulary.`;
      context.report({
        message: closest === undefined ? message : `${message} ${closest}`,
        location: location.child(key),
      });
    }
  },
});

/** Adds the vocabulary to Redocly's description of Arazzo. */
function withVocabulary(types: Readonly<Record<string, NodeType>>): Record<string, NodeType> {
  const extendedTypes = Object.entries(types).map(([name, type]) => {
    const properties = { ...type.properties, ...arazzoVocabulary[name] };
    return [name, { ...type, properties }] as const;
  });
  return {
    ...Object.fromEntries(extendedTypes),
    UndescribedSteps: { properties: {}, items: 'UndescribedStep' },
    UndescribedStep: {
      properties: {
        before: text,
        after: text,
        description: text,
        unstated: text,
        path: text,
        'x-source': texts,
        'x-note': texts,
      },
      required: ['description', 'unstated'],
      requiredOneOf: ['before', 'after'],
    },
  };
}
