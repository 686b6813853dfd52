import type { Contract, FormatType } from '../../contract/contract.ts';
import { formatMember, formats as checkedFormats } from '../../validators/formats.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal } from '../escape.ts';
import { jsdoc } from '../jsdoc.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { packageFolder } from './layout.ts';

/** Emits the module with the types for formats; no file where the contract has no such types. */
export function* emitFormatTypes(
  { formats = [], info }: Contract,
  context: TargetContext,
): Generator<OutputFile> {
  if (formats.length === 0) return;
  const checked = formats.filter(isChecked).map(({ format }) => identifier(formatMember(format)));
  yield {
    path: `${packageFolder}/src/formats.ts`,
    text: context.render('format-types.ts', {
      imports: formats.flatMap((format) =>
        format.kind === 'import' ? [{ ...format, local: localName(format) }] : [],
      ),
      checks: checked.length > 0,
      names: joinCode(
        checked.map((name) => code`${name} as ${identifier(`${name.text}Expression`)}`),
      ),
      hasBrands: formats.some(({ kind }) => kind === 'brand'),
      hasImports: formats.some(({ kind }) => kind === 'import'),
      formats: formats.map((format) => ({
        typeName: format.typeName,
        checkAbout: jsdoc({
          summary: `Whether a text has the format ${format.format}, which makes it a \`${format.typeName}\`.`,
        }),
        comment: jsdoc({ summary: describe(format) }),
        type: typeOf(format),
        check: isChecked(format)
          ? identifier(`${formatMember(format.format)}Expression`)
          : undefined,
      })),
    }),
    from: [info.pointer],
  };
}

/** Returns what the package exports for each format: its type, and its guard if it has one. */
export function formatExports({ formats = [] }: Contract): readonly { readonly exported: Code }[] {
  return formats.map((format) => ({
    exported: new Code(
      isChecked(format)
        ? `{ is${identifier(format.typeName).text}, type ${identifier(format.typeName).text} }`
        : `type { ${identifier(format.typeName).text} }`,
    ),
  }));
}

/** Returns the names of the packages from which types of formats are imported. */
export function formatPackages({ formats = [] }: Contract): readonly string[] {
  const names = formats.flatMap(({ from = '.' }) => {
    if (from.startsWith('.')) return [];
    return from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/');
  });
  return [...new Set(names)];
}

/** Returns whether any format has a guard, which needs the regular expression of the format. */
export function hasFormatGuards({ formats = [] }: Contract): boolean {
  return formats.some(isChecked);
}

/**
 * Returns whether a format has a guard: its type is a brand, and a regular expression decides what the format accepts.
 * An imported type can demand more than the format, so no guard can guarantee it.
 */
function isChecked({ kind, format }: FormatType): boolean {
  return kind === 'brand' && checkedFormats.get(format)?.type === 'string';
}

/** Returns the local name of an imported type. It begins in lower case, unlike all types of the package. */
function localName({ typeName }: FormatType): string {
  return `imported${typeName}`;
}

function typeOf(format: FormatType): Code {
  if (format.kind === 'import') return code`onlyText<${identifier(localName(format))}>`;
  // The configuration's validation guarantees that this is exactly one template literal type.
  if (format.kind === 'template') return new Code(format.type ?? 'string');
  return code`string & { readonly [format]: ${literal(format.format)} }`;
}

function describe({ kind, format }: FormatType): string {
  return kind === 'brand'
    ? `A text of the format ${format}: a string, marked so that no other text is taken for it.`
    : `A text of the format ${format}.`;
}
