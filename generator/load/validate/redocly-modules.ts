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

/**
 * Redocly's rules that restate the Arazzo specification, by the module that exports them. One module has them all, but
 * loading it takes 0.2 s, because it has every rule of Redocly that applies to Arazzo.
 */
const arazzoRules = {
  // Each object has the fields that it must have, and no others: the other rules rely on it.
  'common/struct': 'Struct',
  // A `$ref` and a `reference` point to something.
  'common/no-unresolved-refs': 'NoUnresolvedRefs',
  // No criterion of a step or an action is there twice.
  'arazzo/criteria-unique': 'CriteriaUnique',
  // Outputs that expressions read exist.
  'arazzo/outputs-defined': 'OutputsDefined',
  // No parameter is there twice.
  'arazzo/parameters-unique': 'ParametersUnique',
  // No place of a request body is replaced twice.
  'arazzo/requestBody-replacements-unique': 'RequestBodyReplacementsUnique',
  // A source description is of a type of the specification.
  'arazzo/sourceDescription-type': 'SourceDescriptionType',
  // Expressions name source descriptions, so that two of one name are ambiguous.
  'arazzo/sourceDescriptions-name-unique': 'SourceDescriptionsNameUnique',
  // There is a source description.
  'arazzo/sourceDescriptions-not-empty': 'SourceDescriptionsNotEmpty',
  // A step is an operation, a workflow or a channel, never two of them.
  'arazzo/spec-step-mutually-exclusive-fields': 'SpecStepMutuallyExclusiveFields',
  // No action after a failure is there twice.
  'arazzo/step-onFailure-unique': 'StepOnFailureUnique',
  // No action after a success is there twice.
  'arazzo/step-onSuccess-unique': 'StepOnSuccessUnique',
  // Actions and expressions name steps, so that two of one name are ambiguous.
  'arazzo/stepId-unique': 'StepIdUnique',
  // A workflow depends on workflows that exist.
  'arazzo/workflow-dependsOn': 'WorkflowDependsOn',
  // Steps name workflows, so that two of one name are ambiguous.
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

/** Redocly's names for the specifications that a contract can have. */
export type SpecVersion = Extract<
  Redocly.SpecVersion,
  'oas3_0' | 'oas3_1' | 'oas3_2' | 'async2' | 'async3' | 'arazzo1' | 'arazzo1_1'
>;

/** Returns Redocly's description of a specification. */
export async function importTypes(
  version: SpecVersion,
): Promise<ReturnType<typeof Redocly.getTypes>> {
  const { getTypes } = await importModule<Pick<typeof Redocly, 'getTypes'>>('oas-types.js');
  return getTypes(version);
}
