import { expect, test } from 'vitest';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { emitFiles } from '../emit-project.ts';
import { frameworkTargets } from '../frameworks/emit-frameworks.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { executableMentions, hostileContract, syntaxErrors } from './hostile-contract.ts';

/** The code of a file; of a page, that of its examples. */
function codeOf(path: string, content: string): string {
  if (path.endsWith('.ts')) return content;
  if (!path.endsWith('.md')) return '';
  return Array.from(content.matchAll(/^```ts\n([\s\S]*?)^```/gmu), ([, code]) => code).join('\n');
}

const targets = [webhooksTarget, ...(await frameworkTargets())];

test.each(hostileTexts.map((text) => [text]))(
  'text of a contract stays text in every file of a receiver: %j',
  async (text) => {
    const contract = hostileContract(text);
    let files = 0;
    for (const target of targets) {
      for (const [path, content] of await emitFiles(target, contract)) {
        files += 1;
        if (path.endsWith('.json'))
          expect(() => JSON.parse(content) as unknown, path).not.toThrow();
        expect(executableMentions(codeOf(path, content)), path).toEqual([]);
        expect(syntaxErrors(codeOf(path, content)), path).toEqual([]);
      }
    }
    expect(files).toBeGreaterThan(8 + 4 * (targets.length - 1));
  },
);

test('is found where it would be code, so that the test above can fail', () => {
  expect(executableMentions('pwned(); const a = `${pwned}`;')).toEqual([
    'pwned',
    '`${pwned}`',
    'pwned',
  ]);
  expect(syntaxErrors('a b')).not.toEqual([]);
});

test('a contract without notifications is refused in words', async () => {
  await expect(emitFiles(webhooksTarget, buildContract([]))).rejects.toThrow(
    'leave the target "webhooks" out',
  );
});
