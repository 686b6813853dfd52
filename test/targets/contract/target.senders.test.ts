import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readOpenapi } from '../client/emit-client.ts';
import { compileStrictly } from '../strict-compile.ts';
import { buildPackage } from './emit-package.ts';

const reference = { $ref: '#/components/schemas/User' };
const content = { 'application/json': { schema: reference } };
const document = {
  info: { title: 'Users', version: '1.0.0' },
  paths: {
    '/users': {
      post: {
        operationId: 'addUser',
        requestBody: { required: true, content },
        responses: { 201: { description: 'Added.', content } },
      },
    },
  },
  components: {
    schemas: {
      User: {
        type: 'object',
        required: ['id', 'name', 'password'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string' },
          password: { type: 'string', writeOnly: true },
        },
      },
    },
  },
};

const use = `
import type { User, UserRequest } from '@trade/contract';

export const sent: UserRequest = { name: 'Ana', password: 'x' };
export const sentBack: UserRequest = { id: 1, name: 'Ana', password: 'x' };
export const received: User = { id: 1, name: 'Ana' };
export const idOf = (user: User): number => user.id;

// @ts-expect-error -- a request needs the password
export const incomplete: UserRequest = { name: 'Ana' };
// @ts-expect-error -- a response needs the id
export const unnumbered: User = { name: 'Ana' };
// @ts-expect-error -- a request may leave out the id
export const sentId = (user: UserRequest): number => user.id;
`;

type Validators = Readonly<Record<string, (value: unknown) => boolean>>;

describe.each(['3.0.3', '3.1.1'])('read-only and write-only members in OpenAPI %s', (openapi) => {
  test('types and validators require the members that the sender sends', async () => {
    await using contractPackage = await buildPackage(await readOpenapi({ openapi, ...document }));
    await writeFile(join(contractPackage.project, 'use.ts'), use);
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
    await compileStrictly(contractPackage.project, ['use.ts'], options);
    const url = pathToFileURL(join(contractPackage.folder, 'dist/index.js')).href;
    const { isUser, isUserRequest } = (await import(/* @vite-ignore */ url)) as Validators;
    const verdicts = [
      { name: 'Ana', password: 'x' },
      { id: 1, name: 'Ana', password: 'x' },
      { id: 1, name: 'Ana' },
      { name: 'Ana' },
      // An unexpected member must be valid, too.
      { id: '1', name: 'Ana', password: 'x' },
    ].map((value) => [isUserRequest?.(value), isUser?.(value)]);
    expect(verdicts).toEqual([
      [true, false],
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });
});
