import type { Config } from '../../../generator/config/config.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { readContract } from '../../../generator/generate.ts';
import { isJsonObject, type Json } from '../../../generator/json/json.ts';
import { rendererOf } from '../../../generator/emit/renderer.ts';
import { target } from '../../../packages/reference/src/target.ts';
import type { OutputFile } from '../../../generator/targets/target.ts';
import { targetNames } from '../../../generator/targets/registry.ts';
import ownConfig from '../../../countersign.config.ts';
import { repository, scope } from '../../targets/emit-project.ts';

/** The text of the page of a contract, made beside every other target unless told otherwise. */
export async function emitPage(
  contract: Contract,
  targets: readonly string[] = targetNames,
): Promise<string> {
  const context = {
    scope,
    options: {},
    packageVersions: {},
    packageNames: Object.fromEntries(targets.map((name) => [name, `${scope}/${name}`])) as Record<
      string,
      string
    >,
    render: await rendererOf(target),
  };
  const files: OutputFile[] = [];
  for await (const file of target.emit(contract, context)) files.push(file);
  const [page] = files;
  if (files.length !== 1 || page?.path !== 'reference/index.html')
    throw new Error(`Emitted ${files.map(({ path }) => path).join(', ')}`);
  return page.text;
}

/** The contract of this repository. */
export async function ownContract(): Promise<Contract> {
  return await contractOf(ownConfig.contract);
}

/** The contract that files of this repository make up. */
export async function contractOf(files: Config['contract']): Promise<Contract> {
  const config = { contract: files, scope, output: 'generated', targets: [] };
  const { contract, diagnostics } = await readContract(config, repository);
  if (contract === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return contract;
}

/** Members whose text no code is named after. */
const freeText = new Set(
  (
    'title description summary question remark meaning sourceDocument path url const pattern default format ' +
    'contentType mediaType parameterName as each status version'
  ).split(' '),
);

/** The contract with every text that people write freely replaced, by its member and how many came before. */
export function replaceTexts(contract: Contract, textOf: (count: number) => string): Contract {
  let count = 0;
  const replaced = (value: Json, free: boolean): Json => {
    if (typeof value === 'string') {
      if (!free) return value;
      count += 1;
      return textOf(count);
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => replaced(item, free));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isValue =
          name === 'value' && !Object.hasOwn(value, 'meaning') && Object.hasOwn(value, 'kind');
        const inside = free && name !== '$ref';
        const isText = freeText.has(name) || name === 'x-source' || name === 'source' || isValue;
        return [name, member === undefined ? null : replaced(member, inside || isText)];
      }),
    );
  };
  const { documents, security, ...rest } = contract;
  return {
    ...(replaced(rest as unknown as Json, false) as unknown as Contract),
    documents,
    security,
  };
}
