import { findFormat, formatMember, formatNames } from '../../schema/formats.ts';

/** Returns a declaration for every checked format: a regular expression, or an object that validates numbers. */
export function formatDeclarations(): readonly {
  readonly name: string;
  readonly value: string;
  readonly type: string;
}[] {
  return formatNames().flatMap((format) => {
    const definition = findFormat(format);
    if (definition === undefined) return [];
    const name = formatMember(format);
    if (definition.type === 'string') {
      return [{ name, value: definition.expression.toString(), type: 'RegExp' }];
    }
    const limit = `2 ** ${definition.bits - 1}`;
    const inRange = `value >= -(${limit}) && value < ${limit}`;
    return [
      {
        name,
        value: `{ validate: (value) => Number.isInteger(value) && ${inRange} }`,
        type: '{ validate(value: number): boolean }',
      },
    ];
  });
}
