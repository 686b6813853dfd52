import { describe, expect, test } from 'vitest';
import { createProject, openapi } from './project.ts';

const pets = `openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
servers: [{ url: https://pets.example }]
paths:
  /pet:
    get:
      operationId: getPet
      responses:
        '200':
          description: A pet.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Pet' }
components:
  schemas:
    Pet:
      oneOf:
        - { $ref: '#/components/schemas/Cat' }
        - { $ref: '#/components/schemas/Dog' }
      discriminator:
        propertyName: kind
        mapping: { feline: Cat, dog: '#/components/schemas/Dog', bird: Bird }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string } } }
`;

/** Fails in every thread of the process, before the thread runs its own file. */
const preload = (statement: string): string =>
  `import { isMainThread } from 'node:worker_threads';\nif (!isMainThread) ${statement};\n`;

const config = (...targets: readonly string[]): string =>
  JSON.stringify({
    contract: { openapi: 'openapi.yaml' },
    scope: '@pets',
    output: 'generated',
    targets,
  });

const createPets = (targets: readonly string[], document = pets) =>
  createProject({
    'openapi.yaml': document,
    'pets.json': config(...targets),
    'throw.mjs': preload("throw new Error('no more memory')"),
    'exit.mjs': preload('process.exit(0)'),
  });

test('names in the mapping of a discriminator are printed, and the command ends', async () => {
  const project = await createPets(['contract', 'openapi-types']);
  const { code, error } = await project.countersign('generate', '--config', 'pets.json');
  expect({ code, error }).toMatchObject({ code: 0 });
  expect(error).not.toContain('resolve');
});

test('the command ends after the library has printed errors', async () => {
  const document = pets.replace(
    'paths:',
    "paths:\n  /odd: { get: { responses: { '200': { $ref: '#' } } } }",
  );
  const project = await createPets(['contract', 'openapi-types'], document);
  const { code, error } = await project.countersign('generate', '--config', 'pets.json');
  expect(code).toBe(1);
  expect(error).toContain('error[target-failed] openapi.yaml:5:3\n');
});

describe.each(['throw', 'exit'])('a thread that fails: %s', (how) => {
  const node = ['--import', `./${how}.mjs`];

  test.each([
    ['openapi-types', 'openapi.yaml:1:1'],
    ['contract', 'openapi.yaml:16:5'],
  ])('is a diagnostic of the target %s, and the command ends', async (target, place) => {
    const project = await createPets([target]);
    for (const command of ['generate', 'check']) {
      const { code, error } = await project.run([command, '--config', 'pets.json'], { node });
      expect(code).toBe(1);
      expect(error).toContain(`error[target-failed] ${place}\n`);
    }
  });

  test('is a diagnostic of the examples that it should check', async () => {
    const document = openapi.replace('type: object', 'example: { title: a }\n      type: object');
    const project = await createPets(['reference'], document);
    for (const command of ['generate', 'lint', 'unstated']) {
      const { code, error } = await project.run([command, '--config', 'pets.json'], { node });
      expect({ command, code, error }).toMatchObject({ code: 1 });
      expect(error).toContain('error[invalid-example] openapi.yaml:19:5\n');
      expect(error).toContain('The validator of this example failed');
    }
  });
});
