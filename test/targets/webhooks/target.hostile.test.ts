import { expect, test } from 'vitest';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { emitFiles } from '../emit-project.ts';
import { frameworkTargets } from '../frameworks/emit-frameworks.ts';
import { isPayload, sharpestTexts } from '../../hostile/hostile-texts.ts';
import { injectionsIn } from '../../hostile/injections.ts';
import { hostileContract } from './hostile-contract.ts';

const targets = [webhooksTarget, ...(await frameworkTargets())];

test.each(sharpestTexts)('text of a contract acts in no file of a receiver: %j', async (text) => {
  const contract = hostileContract(text);
  let files = 0;
  for (const target of targets) {
    for (const [path, content] of await emitFiles(target, contract)) {
      files += 1;
      expect(injectionsIn(path, content, isPayload), path).toEqual([]);
    }
  }
  expect(files).toBeGreaterThan(8 + 4 * (targets.length - 1));
});

test('a contract without notifications is refused in words', async () => {
  await expect(emitFiles(webhooksTarget, buildContract([]))).rejects.toThrow(
    'leave the target "webhooks" out',
  );
});
