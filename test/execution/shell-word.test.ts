import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../generator/execution/shell-word.ts';
import { hostileTexts } from '../hostile/hostile-texts.ts';

it('leaves alone what is a word already', () => {
  expect(shellWord('--header-env')).toBe('--header-env');
  expect(shellWord('http://127.0.0.1:3000/webhooks')).toBe('http://127.0.0.1:3000/webhooks');
});

const texts = ["it's", '', '$HOME', '`id`', 'a b', '*', '~', '!!', '[a]', ...hostileTexts];

it.each(texts.filter((text) => text.isWellFormed() && !text.includes('\0')).map((text) => [text]))(
  'makes one word of any text: %j',
  (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], {
      encoding: 'utf8',
    });
    expect(printed).toBe(text);
  },
);
