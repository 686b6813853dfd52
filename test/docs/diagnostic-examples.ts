import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diagnosticPages } from '../../generator/tools/explain/diagnostic-pages.ts';
import { applyDiff, blocksOf, completeForms, type Forms } from './page-blocks.ts';

/** The files of an example in both forms: `before` causes the diagnostic, and `after` does not. */
export type Example = Readonly<Record<string, Forms>>;

const documents = ['openapi.yaml', 'asyncapi.yaml'];
const configName = 'countersign.config.json';

/** Returns the files of the example of a section; `undefined` if the section has no diff. */
export async function exampleOf(text: string): Promise<Example | undefined> {
  const diffs = blocksOf(text).filter(({ language }) => language === 'diff');
  if (diffs.length === 0) return undefined;
  const complete = diffs.filter(({ name }) => name.endsWith(' (complete)'));
  const isComplete = (file: string): boolean =>
    complete.some(({ name }) => name.startsWith(`${file} `));
  const hasOwnContract = documents.some(isComplete);
  const files = new Map<string, Forms>();
  for (const file of hasOwnContract ? [] : documents) files.set(file, await baseOf(file));
  const diffOf = new Map(diffs.map(({ name, body }) => [name.replace(' (complete)', ''), body]));
  for (const [file, diff] of diffOf) {
    const isPart = documents.includes(file) && !hasOwnContract;
    if (file !== configName && !isPart) files.set(file, completeForms(diff));
    else if (isPart) files.set(file, applyDiff((await baseOf(file)).after, diff));
  }
  const config = diffOf.get(configName);
  const standard = configFor(new Set(files.keys()));
  if (!files.has('countersign.config.mjs'))
    files.set(
      configName,
      config === undefined
        ? { before: standard, after: standard }
        : isComplete(configName)
          ? completeForms(config)
          : applyDiff((await baseOf(configName)).after, config),
    );
  return Object.fromEntries(files);
}

async function baseOf(file: string): Promise<Forms> {
  const text = await readFile(join(diagnosticPages, file), 'utf8');
  return { before: text, after: text };
}

function configFor(files: ReadonlySet<string>): string {
  const contract = {
    ...(files.has('openapi.yaml') ? { openapi: 'openapi.yaml' } : {}),
    ...(files.has('asyncapi.yaml') ? { asyncapi: 'asyncapi.yaml' } : {}),
    ...(files.has('overlay.yaml') ? { overlays: ['overlay.yaml'] } : {}),
    ...(files.has('workflows.yaml') ? { workflows: ['workflows.yaml'] } : {}),
  };
  return JSON.stringify({ contract, scope: '@shop', output: 'generated', targets: ['contract'] });
}

/** Writes one form of an example into a folder. `\xe9` in the text is the single byte. */
export async function writeExample(
  folder: string,
  example: Example,
  form: keyof Forms,
): Promise<void> {
  for (const [file, { [form]: text }] of Object.entries(example)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), toBytes(text));
  }
}

function toBytes(text: string): Uint8Array {
  const parts = text.split(/(\\x[\da-f]{2})/u);
  return Buffer.concat(
    parts.map((part) =>
      /^\\x[\da-f]{2}$/u.test(part) ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part),
    ),
  );
}
