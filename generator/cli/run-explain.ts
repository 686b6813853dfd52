import { resolve } from 'node:path';
import {
  type Diagnostic,
  diagnosticCodes,
  entryOf,
  isDiagnosticCode,
} from '../diagnostics/diagnostic.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Explainer, type Explanation, createExplainer } from '../tools/explain/explain.ts';
import { readDiagnosticSection } from '../tools/explain/diagnostic-pages.ts';
import { type FileLine, readFileLine } from '../tools/explain/place.ts';
import { type ContractPart, findParts, isMemberPath } from '../tools/explain/find-parts.ts';
import { emitFiles } from '../emit/emit.ts';
import { withDiagnostics } from '../emit/output-error.ts';
import type { Json } from '../json/json.ts';
import { toFile } from '../load/file-paths.ts';
import type { Invocation, ScopeOption } from './command.ts';
import { CommandError } from '../tools/command-error.ts';
import { describeDiagnostic } from './describe-diagnostic.ts';
import { describeExplanation, toExplanationData } from './describe-explanation.ts';
import { type Result, showResults } from './each-contract.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { loadNamed } from './named-contract.ts';
import { type OneContract, readOneContract, readWithoutErrors } from './one-contract.ts';
import { toVisibleJson } from './terminal.ts';
import { printable } from '../diagnostics/printable.ts';
import type { OutputFile } from '../targets/target.ts';

/** The options of `explain`. */
interface ExplainOptions extends ScopeOption {
  readonly document?: readonly string[];
}

/**
 * Explains the code of a diagnostic, a generated name or a location: of the latter two, the part of the contract it
 * comes from, and what is generated from that. What is only a part of the model is shown as JSON, and `--json` has the
 * model of every part.
 */
export async function runExplain(
  invocation: Invocation<ExplainOptions, readonly [name: string | undefined]>,
): Promise<ExitCode> {
  const { values, options, terminal } = invocation;
  const [asked = ''] = values;
  if (isDiagnosticCode(asked)) return await explainDiagnostic(asked, invocation);
  const loadedContract =
    (await readNamed(options.document ?? [], invocation)) ?? (await readOneContract(invocation));
  const parts = findParts(loadedContract.contract, asked);
  // The model can be shown although a target fails.
  const isModelOnly = parts.length > 0 && isMemberPath(loadedContract.contract, asked);
  const files = isModelOnly ? [] : await emit(loadedContract);
  const explainer = createExplainer(loadedContract.contract, loadedContract.documents, files);
  const explanation = isModelOnly
    ? undefined
    : find(asked, explainer, loadedContract, files, terminal.folder);
  if (explanation === undefined && parts.length === 0) {
    const hint =
      didYouMean(asked, [...explainer.names, ...diagnosticCodes()], 3) ??
      'Give the code of a diagnostic, a generated name, an event, an operation, a label, a pointer, file#pointer, file:line, or a path into the model.';
    throw new CommandError('usage', `${quote(asked)} is not a known name or place. ${hint}`);
  }
  const model = toModelData(parts);
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { ...toExplanationData(asked, explanation ?? nothing, loadedContract), model },
    describe: (paint) =>
      explanation === undefined
        ? `${toVisibleJson(model?.value)}\n`
        : describeExplanation(explanation, loadedContract, paint, invocation.flags.verbose),
  };
  return await showResults([result], invocation, loadedContract.loaded.file);
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

function find(
  asked: string,
  explainer: Explainer,
  { config, loaded, documents }: OneContract,
  files: readonly OutputFile[],
  folder: string,
): Explanation | undefined {
  const named = explainer.byName(asked);
  if (named !== undefined) return named;
  if (/^(?:openapi|asyncapi)?#/u.test(asked) || asked.startsWith('/')) {
    const pointed = explainer.byPointer(asked);
    if (pointed !== undefined) return pointed;
  }
  const [, citedFile, pointer] = /^([^#]+)#(\/.*)$/su.exec(asked) ?? [];
  if (citedFile !== undefined && pointer !== undefined) {
    const file = toFile(loaded.folder, resolve(folder, citedFile));
    return explainer.byCitation(`${file}#${pointer}`);
  }
  const place = readFileLine(asked);
  const path = resolve(folder, place.file);
  const file = toFile(loaded.folder, path);
  const contractFile = documents.files.find((candidate) => candidate.path === file);
  if (contractFile !== undefined) {
    assertLine({ ...place, file }, contractFile.text);
    return explainer.byContractLine({ ...place, file });
  }
  const output = toFile(resolve(loaded.folder, config.output), path);
  const generated = files.find((candidate) => candidate.path === output);
  if (generated === undefined) return undefined;
  assertLine({ ...place, file }, generated.text);
  return explainer.byGeneratedLine({ ...place, file: output });
}

/** @throws CommandError `usage` if the file does not have the line */
function assertLine({ file, line = 1 }: FileLine, text: string): void {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (line >= 1 && line <= lines) return;
  throw new CommandError(
    'usage',
    `${printable(file)} has ${count(lines, 'line')}; there is no line ${line}.`,
  );
}
