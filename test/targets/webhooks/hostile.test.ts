import ts from 'typescript';
import { expect, test } from 'vitest';
import type {
  Contract,
  Notification,
  SecurityScheme,
  Unstated,
} from '../../../generator/contract/contract.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { emitFiles } from '../emit-project.ts';
import { frameworkTargets } from '../frameworks/emit-frameworks.ts';
import { hostileTexts } from '../hostile-texts.ts';

const node = { pointer: 'asyncapi#', source: ['1'] } as const;

/** A contract with a text at every place of a notification, a form, a signature and the ledger that takes one. */
function hostileContract(text: string): Contract {
  const member = text.replaceAll('~', '~0').replaceAll('/', '~1');
  const notification = (name: string, more: Partial<Notification>): Notification => ({
    kind: 'notification',
    ...node,
    source: [text],
    id: text,
    name,
    typeName: name.toUpperCase(),
    summary: text,
    description: text,
    deprecated: true,
    tags: [text],
    headers: [],
    contentType: text,
    payload: 'Body',
    identifiedBy: [
      [
        { expression: `$request.body#/${member}`, schema: { enum: [text, null] } },
        { expression: `$request.header.${text}`, schema: { const: text } },
      ],
    ],
    identifiedByOrigin: 'declared',
    ambiguousWith: [],
    dedupeBy: [`$request.body#/${member}`, `$request.header.${text}`],
    examples: [
      { kind: 'example', ...node, name: text, value: { [text]: text } },
      { kind: 'example', ...node, name: '__proto__', value: text },
    ],
    invalidExamples: [],
    security: [],
    ...more,
  });
  const question: Unstated = {
    kind: 'unstated',
    ...node,
    source: [text],
    id: 'question',
    optionName: 'question',
    question: text,
    remark: text,
    choices: [{ name: text, value: [`$request.query.${text}`], meaning: text }],
    assumed: text,
    usedBy: [],
    answers: [],
  };
  const security: SecurityScheme = {
    kind: 'security-scheme',
    ...node,
    source: [text],
    id: text,
    name: 'scheme',
    type: 'apiKey',
    description: text,
    parameterName: text,
    signature: {
      algorithm: 'hmac-sha256',
      key: { credential: text, encoding: 'utf-8', prefix: text },
      over: [`$request.header.${text}`, { text }, '$timestamp'],
      encoding: 'hex',
      value: text,
      separator: text,
      timestamp: { header: text, format: 'unix-seconds', tolerance: 1 },
    },
  };
  const contract = buildContract([['Body', { type: 'object' }]], {
    info: { title: text, summary: text, description: text, sourceDocument: text },
    unstated: [question],
    security: [security],
    notifications: [
      notification('one', {
        method: 'POST',
        label: { method: 'POST', path: `/${text}/{${text}}`, parameters: [] },
      }),
      notification('two', {
        dedupeBy: { unstated: 'question' },
        security: [[{ scheme: text, scopes: [] }]],
      }),
    ],
  });
  const [schema] = contract.schemas;
  if (schema === undefined) throw new Error('There is no schema');
  const variants = [
    {
      kind: 'variant' as const,
      ...node,
      name: text,
      schema: 'Body',
      when: [{ expression: `$request.body#/${member}`, schema: { type: 'array' } }],
      each: `/${member}`,
      as: `/${member}`,
      rename: { [text]: text },
    },
  ];
  return { ...contract, schemas: [{ ...schema, variants }] };
}

/** Identifiers and templates of a file that hold the name; names that are made from it, as types are, are excepted. */
function executableMentions(text: string): readonly string[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (here: ts.Node): void => {
    const isMade = (name: string): boolean =>
      /^(?:verify|create|to)?[\p{Lu}$][\p{L}\p{N}_$]*$/u.test(name);
    if (ts.isIdentifier(here) && /pwned/i.test(here.text) && !isMade(here.text))
      found.push(here.text);
    if (ts.isTemplateExpression(here) && /pwned/i.test(here.getText())) found.push(here.getText());
    ts.forEachChild(here, visit);
  };
  visit(file);
  return found;
}

function syntaxErrors(text: string): readonly unknown[] {
  const file: object = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest);
  return 'parseDiagnostics' in file ? (file.parseDiagnostics as readonly unknown[]) : ['unknown'];
}

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
