import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Redocly from '@redocly/openapi-core';

// The only imports of single modules of Redocly. Its entry point loads all rules, configurations and formats, which
// takes three times as long as loading a contract. Only code that reports problems needs the entry point.

/** The version of Redocly whose modules this file describes. A test compares it with the installed version. */
export const redoclyVersion = '2.64.0';

const entry = pathToFileURL(createRequire(import.meta.url).resolve('@redocly/openapi-core'));

async function importModule<T>(file: string): Promise<T> {
  const module: unknown = await import(new URL(file, entry).href);
  return module as T;
}

type WalkModules = Pick<
  typeof Redocly,
  | 'BaseResolver'
  | 'Source'
  | 'resolveDocument'
  | 'walkDocument'
  | 'normalizeVisitors'
  | 'normalizeTypes'
>;

/** Imports the functions that follow the references of a document. */
export async function importWalk(): Promise<WalkModules> {
  const files = ['resolve.js', 'walk.js', 'visitors.js', 'types/index.js'];
  const modules = await Promise.all(files.map((file) => importModule<Partial<WalkModules>>(file)));
  return Object.assign({}, ...modules) as WalkModules;
}

/** Creates the visitor that Redocly's `bundleDocument` uses where nothing is configured. */
type MakeBundleVisitor = (options: {
  readonly version: 'oas3' | 'async2' | 'async3';
  readonly dereference: boolean;
  readonly rootDocument: Redocly.Document;
  readonly resolvedRefMap: Awaited<ReturnType<typeof Redocly.resolveDocument>>;
  readonly componentRenamingConflicts: 'off';
  readonly keepUrlRefs: boolean;
}) => Redocly.Oas3Visitor;

export async function importBundleVisitor(): Promise<MakeBundleVisitor> {
  const file = 'bundle/bundle-visitor.js';
  const { makeBundleVisitor } = await importModule<{ makeBundleVisitor: MakeBundleVisitor }>(file);
  return makeBundleVisitor;
}

/** Redocly's rules that restate the Arazzo specification, by the module that exports them. */
const arazzoRules = {
  'common/struct': 'Struct',
  'common/no-unresolved-refs': 'NoUnresolvedRefs',
  'arazzo/criteria-unique': 'CriteriaUnique',
  'arazzo/outputs-defined': 'OutputsDefined',
  'arazzo/parameters-unique': 'ParametersUnique',
  'arazzo/requestBody-replacements-unique': 'RequestBodyReplacementsUnique',
  'arazzo/sourceDescription-type': 'SourceDescriptionType',
  'arazzo/sourceDescriptions-name-unique': 'SourceDescriptionsNameUnique',
  'arazzo/sourceDescriptions-not-empty': 'SourceDescriptionsNotEmpty',
  'arazzo/spec-step-mutually-exclusive-fields': 'SpecStepMutuallyExclusiveFields',
  'arazzo/step-onFailure-unique': 'StepOnFailureUnique',
  'arazzo/step-onSuccess-unique': 'StepOnSuccessUnique',
  'arazzo/stepId-unique': 'StepIdUnique',
  'arazzo/workflow-dependsOn': 'WorkflowDependsOn',
  'arazzo/workflowId-unique': 'WorkflowIdUnique',
} as const;

/** A rule of Redocly. Each run needs a new visitor. */
export type MakeVisitor = (options: object) => Redocly.Oas3Visitor;

/** Imports Redocly's rules for Arazzo documents. The first is about their structure, which the others rely on. */
export async function importArazzoRules(): Promise<readonly MakeVisitor[]> {
  return await Promise.all(
    Object.entries(arazzoRules).map(async ([file, name]) => {
      const module = await importModule<Readonly<Record<string, MakeVisitor>>>(`rules/${file}.js`);
      const rule = module[name];
      if (rule === undefined) throw new TypeError(`Redocly's \`${file}\` exports no \`${name}\`.`);
      return rule;
    }),
  );
}

type Types = ReturnType<typeof Redocly.getTypes>;

/** Redocly's names for the specifications. */
export type SpecVersion = keyof typeof typeTables;

const typeTables = {
  oas3_0: ['types/oas3.js', 'Oas3Types'],
  oas3_1: ['types/oas3_1.js', 'Oas3_1Types'],
  oas3_2: ['types/oas3_2.js', 'Oas3_2Types'],
  async2: ['types/asyncapi2.js', 'AsyncApi2Types'],
  async3: ['types/asyncapi3.js', 'AsyncApi3Types'],
  arazzo1: ['types/arazzo.js', 'Arazzo1Types'],
  arazzo1_1: ['types/arazzo1_1.js', 'Arazzo1_1Types'],
} as const;

/** Returns Redocly's description of a specification, like its `getTypes`. */
export async function importTypes(version: SpecVersion): Promise<Types> {
  const [file, name] = typeTables[version];
  const { [name]: types } = await importModule<Readonly<Record<string, Types>>>(file);
  if (types === undefined) throw new TypeError(`Redocly's \`${file}\` exports no \`${name}\`.`);
  return types;
}
