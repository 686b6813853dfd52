import { type Diagnostic, createDiagnostic } from '../../diagnostics/diagnostic.ts';
import { type Json, isJsonObject } from '../../json/json.ts';
import type { Documents } from '../../load/documents.ts';
import type { Contract, FormatType } from '../contract.ts';
import { NameRegistry, toTypeName } from './names.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { diagnose } from '../../load/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { rootsOf } from '../../load/places.ts';

/** A contract whose texts have types of their own by format, and what is wrong with the names. */
export interface Formatted {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives texts of a format the type that the configuration names for it, each under a name that no schema has.
 * @param toModule turns a module of the configuration into one that generated code imports
 */
export function giveFormatsTypes(
  contract: Contract,
  documents: Documents,
  settings: Readonly<Record<string, FormatSetting>>,
  toModule: (from: string) => string,
): Formatted {
  const diagnostics: Diagnostic[] = [];
  const used = textFormatsOf(contract);
  const root = rootsOf(documents)[0]?.pointer ?? 'openapi#';
  const names = new NameRegistry<string>();
  for (const { typeName, name } of contract.schemas) names.claim(typeName, name);
  const formats = Object.entries(settings).flatMap(([format, setting]): readonly FormatType[] => {
    if (!used.has(format)) {
      const message = `\`formats\`: no text of the contract has the format ${quote(format)}.`;
      diagnostics.push(
        diagnose(documents, 'unused-format', root, message, didYouMean(format, [...used])),
      );
      return [];
    }
    const ownName = (): string => names.claimFree(`${toTypeName(format)}Text`, format);
    if (typeof setting !== 'string') {
      const { type, from } = setting;
      return [{ format, typeName: ownName(), kind: 'import', type, from: toModule(from) }];
    }
    if (setting.startsWith('`')) {
      return [{ format, typeName: ownName(), kind: 'template', type: setting }];
    }
    const typeName = setting;
    const owner = names.claim(typeName, format);
    if (owner === undefined) return [{ format, typeName, kind: 'brand' }];
    const schema = contract.schemas.find((one) => one.typeName === typeName);
    diagnostics.push(
      createDiagnostic(
        'name-collision',
        `\`formats\`: ${quote(typeName)}, for the format ${quote(format)}, is the name of ${quote(owner)} as well.`,
        documents.locate(schema?.pointer ?? root),
        { help: 'Give the format another name in the configuration.' },
      ),
    );
    return [];
  });
  return { contract: { ...contract, formats }, diagnostics };
}

/** Every format that a schema of texts has. */
function textFormatsOf({ schemas, operations, notifications }: Contract): ReadonlySet<string> {
  const found = new Set<string>();
  const parameters = [
    ...operations.flatMap((operation) => operation.parameters),
    ...notifications.flatMap(({ headers, label }) => [...headers, ...(label?.parameters ?? [])]),
  ];
  const queue: Json[] = [
    ...schemas.map(({ definition }) => definition),
    ...parameters.map(({ schema }) => schema),
  ];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value)) {
      const { format, type } = value;
      const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
      if (isText && typeof format === 'string') found.add(format);
    }
    for (const member of Object.values(value)) if (member !== undefined) queue.push(member);
  }
  return found;
}

/**
 * The type of texts of one format. A name in PascalCase: a string marked with that name. A template literal type, in
 * its backticks: that. A type of a module: imported from there; it has to be one that strings can have.
 */
export type FormatSetting = string | { readonly type: string; readonly from: string };
