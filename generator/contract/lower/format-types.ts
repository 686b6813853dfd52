import { posix } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { SchemaNode } from '../../schema/node.ts';
import { visitSchema } from '../../schema/visit.ts';
import type { Documents } from '../../documents/documents.ts';
import type { Contract, FormatType } from '../contract.ts';
import type { FormatSetting } from '../format-setting.ts';
import { NameRegistry, toTypeName } from '../names.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { diagnose } from '../../documents/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { rootsOf } from '../../documents/places.ts';

/** A contract with types for string formats, and the diagnostics about their names. */
export interface AssignedFormats {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
}

/** The settings of a configuration that give formats types. */
export interface FormatOptions {
  readonly formats?: Readonly<Record<string, FormatSetting>>;
  /** The output folder, relative to the folder of the configuration. */
  readonly output?: string;
  readonly importExtension?: '.js' | '.ts';
}

/** Gives strings of a format the type that the configuration names for it, under a name that no schema has. */
export function assignFormatTypes(
  contract: Contract,
  documents: Documents,
  options: FormatOptions,
): AssignedFormats {
  const { formats: settings } = options;
  if (settings === undefined) return { contract, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const used = textFormatsOf(contract);
  const root = rootsOf(documents)[0]?.pointer ?? 'openapi#';
  const names = new NameRegistry<string>();
  for (const { typeName, name } of contract.schemas) names.claim(typeName, name);
  const formats = Object.entries(settings).flatMap(([format, setting]): readonly FormatType[] => {
    if (!used.has(format)) {
      const message = `\`formats\`: no text of the contract has the format ${quote(format)}.`;
      const help = didYouMean(format, [...used]);
      diagnostics.push(diagnose(documents, 'unused-format', { pointer: root, message, help }));
      return [];
    }
    const ownName = (): string => names.claimFree(`${toTypeName(format)}Text`, format);
    if (typeof setting !== 'string') {
      const { type, from } = setting;
      return [{ format, typeName: ownName(), kind: 'import', type, from: toModule(options, from) }];
    }
    if (setting.startsWith('`')) {
      return [{ format, typeName: ownName(), kind: 'template', type: setting }];
    }
    const typeName = setting;
    const owner = names.claim(typeName, format);
    if (owner === undefined) return [{ format, typeName, kind: 'brand' }];
    const schema = contract.schemas.find((candidate) => candidate.typeName === typeName);
    const pointer = schema?.pointer ?? root;
    const message = `\`formats\`: ${quote(typeName)}, for the format ${quote(format)}, is the name of ${quote(owner)} as well.`;
    const help = 'Give the format another name in the configuration.';
    diagnostics.push(diagnose(documents, 'name-collision', { pointer, message, help }));
    return [];
  });
  return { contract: { ...contract, formats }, diagnostics };
}

/** Returns the specifier by which code in the `contract` folder imports a module that the configuration names. */
function toModule({ output = '', importExtension = '.js' }: FormatOptions, from: string): string {
  if (!from.startsWith('.')) return from;
  const path = posix.relative(posix.join(output, 'contract'), from);
  return (path.startsWith('.') ? path : `./${path}`).replace(/\.ts$/u, importExtension);
}

/** Returns every format that a string schema of the contract has. */
function textFormatsOf({ schemas, operations, notifications }: Contract): ReadonlySet<string> {
  const formats = new Set<string>();
  const parameters = [
    ...operations.flatMap((operation) => operation.parameters),
    ...notifications.flatMap(({ headers, label }) => [...headers, ...(label?.parameters ?? [])]),
  ];
  for (const schema of [
    ...schemas.map(({ definition }) => definition),
    ...parameters.map((parameter) => parameter.schema),
  ]) {
    visitSchema(schema, (sub) => {
      const node = new SchemaNode(sub);
      const format = node.text('format');
      if (format !== undefined && node.types?.includes('string') === true) formats.add(format);
    });
  }
  return formats;
}
