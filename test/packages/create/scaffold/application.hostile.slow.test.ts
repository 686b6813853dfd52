import { expect, it } from 'vitest';
import { assertOutputPaths } from '../../../../generator/emit/output-path.ts';
import {
  planApplication,
  renderApplication,
} from '../../../../packages/create/src/scaffold/application.ts';
import { authenticationChoices } from '../../../../packages/create/src/scaffold/authentication.ts';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { planStorage, storageNames } from '../../../../packages/create/src/scaffold/storage.ts';
import { hostileTexts, isPayload } from '../../../hostile/hostile-texts.ts';
import { injectionsIn } from '../../../hostile/injections.ts';
import { hostileContract } from '../../../targets/webhooks/hostile-contract.ts';
import { rendererFor } from '../../../../packages/create/src/templates.ts';
import { someOf } from '../../../some.ts';

const render = await rendererFor('scaffold');

/** Applications of every framework, and one with each storage: what one adds is the same for all frameworks. */
const everyApplication = frameworks.flatMap((framework) => {
  const storages = framework.name === 'node' ? storageNames : [];
  return [undefined, ...storages].map((storage) => ({ framework, storage }));
});

/** The lines of `.env.example` that a storage adds. */
const settings = new Set(
  storageNames.flatMap((storage) =>
    planStorage(storage).settings.map(({ name, value }) => `${name}=${value}`),
  ),
);

it.each(someOf(6, hostileTexts).map((text) => [text]))(
  'text of a contract stays text in every file of an application: %j',
  (text) => {
    const contract = hostileContract(text);
    const choices = authenticationChoices(contract);
    expect(choices).toEqual(['shared-secret', text]);
    for (const { framework, storage } of everyApplication) {
      for (const authentication of choices) {
        const application = planApplication(contract, {
          framework,
          folder: `apps/${text}`,
          scope: '@trade',
          packageVersions: Object.fromEntries(
            [framework.target, 'runtime', 'simulator', 'webhooks'].map((name) => [name, '1.2.3']),
          ),
          hasSimulator: true,
          configuration: `../${text}.json`,
          authentication,
          answers: new Map([['question', text]]),
          ...(storage === undefined ? {} : { storage }),
        });
        const files = renderApplication(application, render);
        assertOutputPaths(files.map(({ path }) => path));
        for (const { path, text: content } of files) {
          if (/\.jsonc?$/u.test(path)) expect(() => JSON.parse(content) as unknown).not.toThrow();
          if (path.endsWith('.ts')) {
            expect(injectionsIn(path, content, isPayload), path).toEqual([]);
          }
          if (path === '.env.example' || path === '.gitignore')
            for (const line of content.split(/[\n\r]/u))
              if (!settings.has(line))
                expect(line, path).toMatch(
                  /^(?:#.*|[A-Z][A-Z0-9_]*=(?:127\.0\.0\.1|300[0-2])?|[\w./-]*)$/u,
                );
          for (const control of ['\u202e', '\0', '\u001b'])
            expect(content.includes(control), path).toBe(false);
        }
      }
    }
  },
);
