import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, it } from 'vitest';
import { isProvenLinear } from '../../generator/patterns/matching-cost.ts';
import { isSimple } from '../../generator/patterns/pattern-check.ts';
import { filesOf, root } from './tree-files.ts';

/** Patterns that the toolkit does not prove to take linear time, by the reason why they do, or why it does not matter. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'with the flag `s`, `.*` reaches the end at the first attempt': [
    String.raw`runtime/inbox/index.ts /\/(live|ready)(?:[?#].*)?$/su`,
    String.raw`simulator/src/calls/decode-body.ts /\[.*$/su`,
    String.raw`simulator/src/calls/http-check.ts /^(\S+) +(.*)$/su`,
    String.raw`simulator/src/calls/signed-parts.ts /\?.*$/su`,
    String.raw`simulator/src/workflows/expression.ts /^\$([A-Za-z]+)(.*)$/su`,
    String.raw`simulator/src/workflows/expression.ts /^\.([\w.-]+)(.*)$/su`,
    String.raw`runtime/webhooks/receiver.ts /\[.*$/su`,
  ],
  'every text matches, the greedy parts at the first attempt': [
    String.raw`runtime/client/answer.ts /^([^:]*)(?:: ?)?([^]*)$/`,
  ],
  'an attempt ends at the next separator': [
    String.raw`simulator/src/calls/decode-body.ts /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/iu`,
    String.raw`runtime/webhooks/deviations.ts /^[+-]?[\d.,\s]*[.,]\d+\s*$/u`,
  ],
  'the text is a stack, whose lines are short': [
    String.raw`runtime/base/index.ts /^ +at (?!(?:.*\()?(?:async )?(?:node|ext|bun|native):)(.+:\d+\)?)$/m`,
  ],
  'the text is an option, a key or a workflow of the developer': [
    String.raw`runtime/client/request.ts /\/+$/`,
    String.raw`simulator/src/calls/key-deviations.ts /=+$/u`,
    String.raw`simulator/src/workflows/expression.ts /^\.([\w./-]+?)\.(inputs|outputs)(\..+)$/su`,
    String.raw`runtime/adapters/nestjs.ts /^\/+|\/+$/gu`,
  ],
};

/** Returns the regular expressions of a module, as they are written. */
function patternsOf(text: string): readonly string[] {
  const patterns: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) patterns.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest));
  return patterns;
}

it('every regular expression of the runtimes takes linear time, whatever the text is', async () => {
  const files = ['console/src', 'runtime', 'simulator/src'].flatMap((folder) =>
    filesOf(`packages/${folder}`)
      .filter((path) => path.endsWith('.ts') && !path.startsWith('dist/'))
      .map((path) => `${folder}/${path}`),
  );
  const unproven = new Set<string>();
  let count = 0;
  for (const file of files)
    for (const literal of patternsOf(await readFile(join(root, 'packages', file), 'utf8'))) {
      count += 1;
      const end = literal.lastIndexOf('/');
      const pattern = literal.slice(1, end);
      // Only the place after the last match is tried.
      const tried = literal.slice(end).includes('y') ? `^(?:${pattern})` : pattern;
      const isLinear = isSimple(tried) || isProvenLinear(tried);
      if (!isLinear) unproven.add(`${file} ${literal}`);
    }
  expect(count).toBeGreaterThan(190);
  expect([...unproven].toSorted()).toEqual(Object.values(exceptions).flat().toSorted());
});
