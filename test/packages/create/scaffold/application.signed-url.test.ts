import { expect, it } from 'vitest';
import { completeContract } from '../../../../generator/contract/complete.ts';
import {
  planApplication,
  renderApplication,
} from '../../../../packages/create/src/scaffold/application.ts';
import { syntaxErrors } from '../../../../generator/tools/settle/syntax-errors.ts';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { hostileContract } from '../../../targets/webhooks/hostile-contract.ts';
import { rendererFor } from '../../../../packages/create/src/templates.ts';

const render = await rendererFor('scaffold');

/** Returns the files of an application whose deliveries are signed over these parts, by path. */
function renderSigned(over: readonly string[], name: string): ReadonlyMap<string, string> {
  const contract = hostileContract('sign');
  const security = contract.security.map((scheme) => ({
    ...scheme,
    ...(scheme.signature && { signature: { ...scheme.signature, over } }),
  }));
  const framework = frameworks.find((candidate) => candidate.name === name);
  if (framework === undefined) throw new Error(`There is no framework ${name}.`);
  const application = planApplication(completeContract({ ...contract, security }), {
    framework,
    folder: 'receiver',
    scope: '@trade',
    packageVersions: { [framework.target]: '1.2.3' },
    hasSimulator: false,
    configuration: '../countersign.config.ts',
    authentication: 'sign',
    answers: new Map([['question', 'sign']]),
  });
  return new Map(renderApplication(application, render).map(({ path, text }) => [path, text]));
}

it.each([
  ['node', 'required("PUBLIC_URL")'],
  ['cloudflare', 'env.PUBLIC_URL'],
])('an application of %s has the origin that a signature of the URL covers', (name, read) => {
  const files = renderSigned(['$url', '$request.body'], name);
  const texts = [...files.values()].join('\n');
  expect(texts).toContain(`publicUrl: ${read}`);
  const delivered = files.get('test/deliveries.test.ts') ?? '';
  expect(delivered).toContain('process.env["PUBLIC_URL"] = "https://hooks.example.com"');
  expect(delivered).toContain('send(new Request(address, delivery))');
  expect(syntaxErrors('test/deliveries.test.ts', delivered)).toEqual([]);
  expect(texts).toMatch(/^PUBLIC_URL=$/mu);

  const plain = [...renderSigned(['$url.path', '$request.body'], name).values()].join('\n');
  expect(plain).not.toMatch(/public_?origin/iu);
});
