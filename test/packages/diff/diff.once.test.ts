import { expect, test } from 'vitest';
import { describeReport } from '../../../packages/diff/src/report/describe-report.ts';
import { isBreaking } from '../../../packages/diff/src/change.ts';
import { levelOfTarget } from '../../../packages/diff/src/report/levels.ts';
import { toMarkdown } from '../../../packages/diff/src/report/markdown-report.ts';
import type { DiffReport } from '../../../packages/diff/src/report/report.ts';
import { diffOf, type Mutation } from './parcels.ts';

const unsigned: Mutation = {
  asyncapi(document) {
    document.operations.sendMoved.security = [];
    document.operations.sendLost.security = [];
    // Without notifications that need it, the scheme would be an error.
    delete document.components.securitySchemes.hook['x-signature'];
    delete document['x-unstated']['key-encoding'];
  },
};
const signed: Mutation = {
  asyncapi(document) {
    unsigned.asyncapi?.(document);
    const security = [{ $ref: '#/components/securitySchemes/hook' }];
    document.operations.sendMoved.security = security;
    document.operations.sendLost.security = security;
  },
};

async function reportOf(after: Mutation, before?: Mutation): Promise<DiffReport> {
  const changes = await diffOf(after, before);
  const where = { file: 'a.yaml', line: 1, column: 1 };
  return {
    changes: changes.map((change) => ({ ...change, where, breaking: isBreaking(change) })),
    breaking: 0,
    packages: [],
    level: 'major',
    version: { base: '1.0.0', head: '1.0.0', required: '2.0.0' },
  };
}

test('one change of the security of all notifications is reported once, in words', async () => {
  const changes = await diffOf(signed, unsigned);
  expect(changes.map(({ code, subject, message }) => `${code} ${subject}: ${message}`)).toEqual([
    'notification-security-changed notification moved and notification lost: It is authenticated by `hook` now, and was authenticated by nothing.',
  ]);
});

test('that nothing authenticates notifications differs from saying nothing about it', async () => {
  const changes = await diffOf(unsigned, {
    asyncapi(document) {
      unsigned.asyncapi?.(document);
      delete document.operations.sendMoved.security;
      delete document.operations.sendLost.security;
    },
  });
  expect(changes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'notification-security-changed: It is authenticated by nothing now, and was authenticated in an unstated way.',
  ]);
});

test('changes of security to different effect stay apart', async () => {
  const changes = await diffOf(signed, {
    asyncapi(document) {
      signed.asyncapi?.(document);
      document.operations.sendMoved.security = [];
      document.operations.sendLost.security = [{ $ref: '#/components/securitySchemes/spare' }];
    },
  });
  expect(changes).toHaveLength(2);
});

test('a change of the AsyncAPI document alone needs no new version of what has only OpenAPI', async () => {
  const changes = await diffOf(signed, unsigned);
  expect(levelOfTarget('openapi-types', changes)).toBe('none');
  expect(levelOfTarget('client', changes)).toBe('none');
  expect(levelOfTarget('webhooks', changes)).not.toBe('none');

  const lost: Mutation = {
    asyncapi: (d) => (d.components.messages.lost.payload.required = ['lost', 'at']),
  };
  const members = await diffOf({
    asyncapi(document) {
      document.components.messages.lost.payload.properties.at = { type: 'string' };
      lost.asyncapi?.(document);
    },
  });
  expect(levelOfTarget('webhooks', members)).not.toBe('none');
  expect(levelOfTarget('openapi-types', members)).toBe('none');
});

test('a change with different effects on callers names their direction', async () => {
  const withoutExamples = (document: Parameters<NonNullable<Mutation['asyncapi']>>[0]): void => {
    delete document.components.messages.moved.examples;
  };
  const report = await reportOf(
    {
      asyncapi: withoutExamples,
      thing(schema) {
        schema.properties.at = { type: 'string' };
        schema.required = [...schema.required, 'at'];
      },
    },
    { asyncapi: withoutExamples },
  );
  for (const text of [describeReport(report, (_, shown) => shown, false), toMarkdown(report)]) {
    expect(text).toContain('callers in requests');
    expect(text).toContain('callers in responses');
    expect(text).not.toContain('callers,');
  }
});
