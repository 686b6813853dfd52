import { vocabularyMembers } from '../../generator/tools/explain/vocabulary-members.ts';

/** Returns the section about the members of a key, as Markdown that is not formatted yet. */
export function membersSection(key: string): string {
  const { members, isCitable } = vocabularyMembers(key);
  const table = [
    '| Member | Value | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...members.map(({ path, value, isOpen, otherwise, meaning }) => {
      const cells = [
        `\`${path}\``,
        isOpen ? `${value} ${openQuestion}` : value,
        otherwise,
        meaning,
      ];
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    }),
  ].join('\n');
  const notes = [
    members.some(({ isOpen }) => isOpen)
      ? `${openQuestion} or \`{ unstated: <id> }\`, the id of an [open question](x-unstated.md).`
      : '',
    isCitable
      ? '[`x-source`](x-source.md) and [`x-note`](x-note.md) may be beside these members.'
      : '',
  ].filter((note) => note !== '');
  return ['## Members', table, ...(notes.length === 0 ? [] : [notes.join(' ')])].join('\n\n');
}

/** The mark of a value that can be left to an open question. */
const openQuestion = '†';
