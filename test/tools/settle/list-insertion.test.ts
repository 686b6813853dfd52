import fc from 'fast-check';
import {
  Node,
  Project,
  ts,
  type ArrayLiteralExpression,
  type ObjectLiteralExpression,
} from 'ts-morph';
import { expect, it } from 'vitest';
import { syntaxErrors } from '../../../generator/tools/settle/syntax-errors.ts';
import { insert, isPureInsertion } from '../../../generator/tools/settle/insertion.ts';
import { insertElements } from '../../../generator/tools/settle/list-insertion.ts';
import { runsOf } from '../../some.ts';

const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });

/** The one literal of a text, and the text itself. */
function parse(text: string): {
  readonly literal: ObjectLiteralExpression | ArrayLiteralExpression;
  readonly elements: readonly string[];
} {
  const file = project.createSourceFile('list.ts', text, { overwrite: true });
  const value = file.getVariableDeclarationOrThrow('list').getInitializerOrThrow();
  const literal = Node.isObjectLiteralExpression(value)
    ? value
    : value.asKindOrThrow(ts.SyntaxKind.ArrayLiteralExpression);
  const nodes = Node.isObjectLiteralExpression(literal)
    ? literal.getProperties()
    : literal.getElements();
  return { literal, elements: nodes.map((node) => node.getText()) };
}

/** What may stand between two tokens. */
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', '\n\n    ') },
  fc.constantFrom(
    ' /* , } ] */ ',
    ' // , } ]\n',
    '\n  // note\r\n  ',
    '/** doc */',
    '\n/* a\n b */ ',
  ),
);

const members = fc.constantFrom(
  'a: onA',
  '"b": onB',
  'c',
  'd() { return [1, 2,]; }',
  'e: (x) => ({ x, })',
  '...f',
  '[g]: h /* inside */',
  "i: '} // ,'",
);
const elements = fc.constantFrom('A', '{ provide: B, use: [C,], }', '...D', "'] ,'");

const lists = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(gap, fc.nat(), gap), { maxLength: 4 }), fc.boolean(), gap)
  .chain(([isObject, parts, hasComma, end]) =>
    fc.array(isObject ? members : elements, { minLength: 4, maxLength: 4 }).map((texts) => {
      const items = parts.map(([ahead, index, behind]) => ahead + texts[index % 4] + behind);
      const comma = hasComma && items.length > 0 ? ',' : '';
      const inside = items.join(',') + comma + end;
      return `// above\nconst list = ${isObject ? `{${inside}}` : `[${inside}]`}; // behind\n`;
    }),
  );

it('adds elements at the end of any list, by insertions alone, and changes nothing else', () => {
  fc.assert(
    fc.property(lists, (text) => {
      const before = parse(text);
      const added = Node.isObjectLiteralExpression(before.literal)
        ? ['lost: onLost', 'returned: onReturned']
        : ['Lost', 'Returned'];
      const insertions = insertElements(before.literal, added);
      const after = insert(text, insertions);
      expect(isPureInsertion(text, after, insertions)).toBe(true);
      expect(syntaxErrors('list.ts', after)).toEqual([]);
      expect(parse(after).elements).toEqual([...before.elements, ...added]);
      expect(after.endsWith('; // behind\n')).toBe(true);
    }),
    { numRuns: runsOf(500) },
  );
});

it.each([
  ['text was taken out', 'a b', 'a', []],
  ['other text was put in', 'a b', 'a c b', [{ at: 2, text: 'd ' }]],
  ['text was moved', 'a b', 'b a', [{ at: 0, text: 'b ' }]],
])('tells from insertions where %s', (_, before, after, insertions) => {
  expect(isPureInsertion(before, after, insertions)).toBe(false);
});
