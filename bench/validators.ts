import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Bench } from 'tinybench';
import { isDueDateCharge } from '../generated/contract/src/index.ts';
import { loadConfig } from '../generator/config/load-config.ts';
import { readContract } from '../generator/generate.ts';
import { publishSchemas } from '../generator/schema/publish.ts';

/** Operations per second of one way to validate a value. */
export interface Throughput {
  readonly name: string;
  readonly perSecond: number;
}

/** Validates a due-date charge with the generated validator, with Ajv at run time, and with hand-written code. */
export async function benchValidators(milliseconds: number): Promise<readonly Throughput[]> {
  const example: unknown = await readJson('../spec/examples/dueDateCharge.with-payer.json');
  const { configs, folder } = await loadConfig(fileURLToPath(new URL('../', import.meta.url)));
  const [config] = configs;
  const { contract } = config === undefined ? {} : await readContract(config, folder);
  if (contract === undefined) throw new Error('The contract of this repository has errors.');
  const schemas = publishSchemas(contract);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const compiled = ajv.compile({ ...schemas, $ref: '#/$defs/DueDateCharge' });
  const ways: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ['generated validator', isDueDateCharge],
    ['Ajv compiled at run time', compiled],
    ['check written by hand', isDueDateChargeByHand],
  ];
  for (const [name, judge] of ways) {
    if (judge(example) !== true || judge({ Pix: 1 }) !== false)
      throw new Error(`${name} judges wrongly`);
  }
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4 });
  for (const [name, judge] of ways) bench.add(name, () => judge(example));
  await bench.run();
  return bench.tasks.map(({ name, result }) => ({
    name,
    perSecond: 'throughput' in result ? result.throughput.mean : Number.NaN,
  }));
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
}

/** A hand-written validator for this schema. */
function isDueDateChargeByHand(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['Pix'])) return false;
  const { Pix: pix } = value;
  const texts = ['endToEndId', 'txid', 'chave'];
  const numbers = ['Amount', 'OriginalAmount'];
  const optionals = ['Discount', 'Reduction', 'Penalty', 'Interest'];
  return (
    texts.every((name) => typeof pix[name] === 'string') &&
    Number.isInteger(pix['Status']) &&
    Number.isInteger(pix['OperationType']) &&
    numbers.every((name) => Number.isFinite(pix[name])) &&
    optionals.every((name) => pix[name] === null || Number.isFinite(pix[name])) &&
    (pix['payer'] === undefined || isPayer(pix['payer']))
  );
}

function isPayer(value: unknown): boolean {
  const members = ['name', 'document', 'ispb', 'agency', 'accountNumber', 'accountType'];
  return isObject(value) && members.every((name) => typeof value[name] === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
