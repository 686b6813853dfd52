import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownOptions as clientOptions } from '../../generator/targets/printing/connection-code.ts';
import { ownOptions as receiverOptions } from '../../generator/targets/printing/receiver-questions.ts';
import { root } from './tree-files.ts';

it.each([
  ['runtime/client/description.ts', /^ConnectionOptions$/u, clientOptions],
  ['runtime/webhooks/receiver.ts', /^(?:Receiver|CommonStoring)Options$/u, receiverOptions],
  ['runtime/webhooks/consumer.ts', /^ConsumerOptions$/u, receiverOptions],
  // Generated workers state `store` and `handle` themselves.
  ['runtime/inbox/worker.ts', /^WorkerOptions$/u, receiverOptions],
])('no open question becomes an option of %s', async (file, type, ownOptions) => {
  const text = await readFile(join(root, 'packages', file), 'utf8');
  const names = Array.from(text.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gmsu))
    .filter(([, name = '']) => type.test(name))
    .flatMap(([, , members = '']) => Array.from(members.matchAll(/^ {2}readonly (\w+)\??:/gmu)))
    .map(([, name = '']) => name)
    .filter((name) => !['store', 'handle'].includes(name));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !ownOptions.includes(name))).toEqual([]);
});
