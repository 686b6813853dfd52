import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frameworkOf } from '../../../generator/targets/printing/frameworks.ts';
import { openInEditor } from '../editor.ts';
import { repository } from '../emit-project.ts';
import { readTrade } from '../webhooks/trade.ts';
import { frameworkTargetNames, generateFrameworks } from './emit-frameworks.ts';

/** The package and the function of each way to create a receiver from options with `on`. */
const makers = [
  ['webhooks', 'createWebhooks'],
  ...frameworkTargetNames
    .map((name) => [name, frameworkOf(name.replace('webhooks-', '')).maker] as const)
    // Its handlers are methods with decorators, which show their own text.
    .filter(([, maker]) => !maker.includes('.')),
] as const;

/** Those of them that also take a function that returns the options. */
const deferred: ReadonlySet<string> = new Set([
  'webhooks',
  'webhooks-nextjs',
  'webhooks-cloudflare',
]);

/**
 * Opens an application that creates a receiver in every way. Expects each `on` to show the text of its handler, and to
 * report what is missing in it or misspelled.
 */
function expectText(project: string, scope: string, kind: string, answers = ''): void {
  const handler = `${kind}(event) { void event.data; }`;
  const rest = 'otherwise: { rest(event) { void event.kind; } }';
  const optionsOf = (body: string): string =>
    `{ authenticate, onInvalid(event) { void event.text; }, ${answers}${body} }`;
  const bodies = [
    `on: { ${handler} }, ${rest}`,
    `on: { ${handler} }, otherwise(event) { void event.data; }`,
    `on: { ${handler} }`,
    `on: { ${handler}, misspelled() {} }, ${rest}`,
  ] as const;
  const lines = [
    `import { unauthenticated } from '${scope}/webhooks';`,
    `const authenticate = unauthenticated();`,
    ...makers.map(
      ([target, maker], index) =>
        `import { ${maker} as create${index} } from '${scope}/${target}';`,
    ),
    ...makers.flatMap((_, index) => bodies.map((body) => `create${index}(${optionsOf(body)});`)),
    ...makers.flatMap(([target], index) =>
      deferred.has(target) ? [`create${index}(() => (${optionsOf(bodies[0])}));`] : [],
    ),
  ];
  const text = lines.join('\n');
  const path = join(project, 'editor.ts');
  const { hover, service, errors } = openInEditor(path, text);
  const places = [...text.matchAll(new RegExp(`${kind}\\(event`, 'gu'))].map(({ index }) => index);
  expect(places).toHaveLength(makers.length * bodies.length + deferred.size);
  const about = `Handles each \`${kind[0]?.toUpperCase()}${kind.slice(1)}Event\``;
  for (const at of places) expect(hover(at)).toContain(about);
  const [at = -1] = places;
  const listed = service.getCompletionEntryDetails(path, at, kind, {}, undefined, {}, undefined);
  expect(listed?.documentation?.map((part) => part.text).join('')).toContain(about);
  const misspelled = errors.filter((error) =>
    error.includes("'misspelled' does not exist in type"),
  );
  const others = errors.filter((error) => !misspelled.includes(error));
  expect(misspelled).toHaveLength(makers.length);
  expect(others).toHaveLength(makers.length * 2);
  for (const error of others) expect(error).toMatch(/missing (?:in|the following properties)/u);
  service.dispose();
}

test('an editor shows the text of a handler of our own contract in the object `on`', () => {
  expectText(join(repository, 'test'), '@instant-payment', 'charge');
});

test('an editor shows the text of a handler of another contract in the object `on`', async () => {
  await using generated = await generateFrameworks(await readTrade());
  expectText(generated.project, '@trade', 'parcelMoved', "sameName: 'name', ");
});
