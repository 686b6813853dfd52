import { type ExtensionPlace, placeWords } from '../contract/vocabulary/vocabulary.ts';
import type { Paint } from '../diagnostics/paint.ts';
import { listTexts } from '../diagnostics/list-texts.ts';
import type { VocabularyMember, VocabularyMembers } from '../tools/explain/vocabulary-members.ts';

/** A key of the vocabulary: the objects that can have it, and its members. */
export interface VocabularyKey extends VocabularyMembers {
  readonly key: string;
  readonly places: readonly ExtensionPlace[];
}

/** Describes a key of the vocabulary for the terminal. */
export function describeKey(
  { key, places, members, isCitable }: VocabularyKey,
  paint: Paint,
): string {
  const on = listTexts(
    places.map((place) => placeWords[place]),
    'or',
  );
  const cited = isCitable ? ['`x-source` and `x-note` may be beside these members.'] : [];
  const blocks = [
    `${paint('bold', key)}  on ${on}`,
    ...members.map((member) => describeMember(member, paint)),
    ...cited,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function describeMember(
  { path, value, isOpen, otherwise, meaning }: VocabularyMember,
  paint: Paint,
): string {
  const stated = otherwise === '' || otherwise === 'required' ? otherwise : `default ${otherwise}`;
  return [
    `${paint('bold', path)}${stated === '' ? '' : `  ${stated}`}`,
    `  ${value}${isOpen && !value.includes('{ unstated: ') ? ', or `{ unstated: <id> }`' : ''}`,
    ...(meaning === '' ? [] : [`  ${meaning}`]),
  ].join('\n');
}
