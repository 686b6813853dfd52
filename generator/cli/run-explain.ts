import { resolve } from 'node:path';
import { type Diagnostic, entryOf, isDiagnosticCode } from '../diagnostics/diagnostic.ts';
import { vocabulary } from '../contract/vocabulary/vocabulary.ts';
import { explain } from '../tools/explain/explain.ts';
import type { Explanation } from '../tools/explain/explainer.ts';
import { readDiagnosticSection } from '../tools/explain/diagnostic-pages.ts';
import type { ContractPart } from '../tools/explain/find-parts.ts';
import { vocabularyMembers } from '../tools/explain/vocabulary-members.ts';
import { emitFiles } from '../emit/emit.ts';
import { withDiagnostics } from '../emit/output-error.ts';
import type { Json } from '../json/json.ts';
import type { Invocation, ScopeOption } from './command.ts';
import { describeDiagnostic } from './describe-diagnostic.ts';
import { describeKey } from './describe-key.ts';
import { describeExplanation, toExplanationData } from './describe-explanation.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { loadNamed } from './named-contract.ts';
import { type OneContract, readOneContract, readWithoutErrors } from './one-contract.ts';
import { toVisibleJson } from './terminal.ts';
import type { OutputFile } from '../targets/target.ts';

/** The options of `explain`. */
interface ExplainOptions extends ScopeOption {
  readonly document?: readonly string[];
}

/**
 * Explains the code of a diagnostic, a key of the vocabulary, a generated name or a location. For a name or a location,
 * shows its part of the contract, and the code that is generated from it. Shows any other part of the model as JSON;
 * `--json` has the model of every part.
 */
export async function runExplain(
  invocation: Invocation<ExplainOptions, readonly [name: string | undefined]>,
): Promise<ExitCode> {
  const { values, options, terminal } = invocation;
  const [asked = ''] = values;
  if (isDiagnosticCode(asked)) return await explainDiagnostic(asked, invocation);
  if (Object.hasOwn(vocabulary, asked)) return await explainKey(asked, invocation);
  const loadedContract =
    (await readNamed(options.document ?? [], invocation)) ?? (await readOneContract(invocation));
  const { contract, documents, config, loaded } = loadedContract;
  const { folder } = loaded;
  const { explanation, parts } = await explain(
    asked,
    terminal.folder,
    { contract, documents, folder, output: resolve(folder, config.output) },
    async () => await emit(loadedContract),
  );
  const model = toModelData(parts);
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { ...toExplanationData(asked, explanation ?? nothing, loadedContract), model },
    describe: (paint) =>
      explanation === undefined
        ? `${toVisibleJson(model?.value)}\n`
        : describeExplanation(explanation, loadedContract, paint, invocation.flags.verbose),
  };
  return await showResults([result], invocation, loaded.file);
}

/** Shows the cause, the repair and an example of a diagnostic. Reads no configuration and no contract. */
async function explainDiagnostic(
  code: Diagnostic['code'],
  invocation: Invocation,
): Promise<ExitCode> {
  const section = await readDiagnosticSection(code);
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { asked: code, diagnostic: { ...entryOf(code), page: section.text } },
    describe: (paint) => describeDiagnostic(section, paint),
  };
  return await showResults([result], invocation, undefined);
}

/** Shows the members of a key of the vocabulary. Reads no configuration and no contract. */
async function explainKey(key: string, invocation: Invocation): Promise<ExitCode> {
  const described = { key, places: vocabulary[key]?.places ?? [], ...vocabularyMembers(key) };
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { asked: key, vocabulary: described },
    describe: (paint) => describeKey(described, paint),
  };
  return await showResults([result], invocation, undefined);
}

const nothing: Explanation = { declarations: [], explained: [] };

/** Returns parts of the model as data for `--json`: the value of the only one, or the values of several by their paths. */
function toModelData(
  parts: readonly ContractPart[],
): { readonly paths: readonly string[]; readonly value: Json } | undefined {
  const [only, ...moreParts] = parts;
  if (only === undefined) return undefined;
  const paths = parts.map(({ path }) => path);
  const byPath = parts.map(({ path, value }) => [path, value] as const);
  return { paths, value: moreParts.length === 0 ? only.value : Object.fromEntries(byPath) };
}

async function emit({
  contract,
  config,
  loaded,
  documents,
}: OneContract): Promise<readonly OutputFile[]> {
  if (config.targets.length === 0) return [];
  return await emitFiles(contract, config, loaded.file, undefined, (pointer) =>
    documents.cite(pointer),
  ).catch((error: unknown) => {
    throw withDiagnostics(error, [], documents);
  });
}

/** Reads the contract of files of the command line, from which nothing is generated; `undefined` without files. */
async function readNamed(
  files: readonly string[],
  invocation: Invocation,
): Promise<OneContract | undefined> {
  const loaded = await loadNamed(files, invocation);
  const [config] = loaded?.configs ?? [];
  if (loaded === undefined || config === undefined) return undefined;
  return { config, loaded, ...(await readWithoutErrors(config, loaded, invocation)) };
}
