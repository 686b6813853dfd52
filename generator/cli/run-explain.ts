import { resolve } from 'node:path';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Explainer, type Explanation, createExplainer } from '../tools/explain/explain.ts';
import { type FileLine, readFileLine } from '../tools/explain/place.ts';
import { emitFiles } from '../emit/emit.ts';
import { withDiagnostics } from '../emit/output-error.ts';
import { placeText } from '../load/place-text.ts';
import { toFile } from '../load/sources.ts';
import type { Invocation } from './command.ts';
import { CommandError } from '../tools/command-error.ts';
import { describeExplanation, toExplanationData } from './describe-explanation.ts';
import { type Result, showResults } from './each-contract.ts';
import { count } from './describe-generation.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { type OneContract, readOneContract } from './one-contract.ts';
import { printable } from '../diagnostics/paint.ts';
import type { OutputFile } from '../targets/target.ts';

/** Explains a generated name or a location: the part of the contract it comes from, and what is generated from that. */
export async function runExplain(invocation: Invocation): Promise<ExitCode> {
  const { values, terminal } = invocation;
  const [asked = ''] = values;
  const one = await readOneContract(invocation);
  const { config, loaded, contract, documents } = one;
  const files = await emitFiles(contract, config, loaded.file, undefined, (pointer) =>
    placeText(documents, pointer),
  ).catch((error: unknown) => {
    throw withDiagnostics(error, [], documents);
  });
  const explainer = createExplainer(contract, documents, files);
  const explanation = find(asked, explainer, one, files, terminal.folder);
  if (explanation === undefined) {
    const hint =
      didYouMean(asked, explainer.names, 3) ??
      'Give a generated name, an event, an operation, a label, a pointer, or file:line.';
    throw new CommandError('usage', `${quote(asked)} is not a known name or place. ${hint}`);
  }
  const result: Result = {
    exitCode: exitCodes.ok,
    data: toExplanationData(asked, explanation, one),
    describe: (paint) => describeExplanation(explanation, one, paint, invocation.flags.verbose),
  };
  return await showResults([result], invocation, loaded.file);
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
  const place = readFileLine(asked);
  const path = resolve(folder, place.file);
  const file = toFile(loaded.folder, path);
  const written = documents.files.find((one) => one.path === file);
  if (written !== undefined) {
    assertLine({ ...place, file }, written.text);
    return explainer.byContractLine({ ...place, file });
  }
  const output = toFile(resolve(loaded.folder, config.output), path);
  const generated = files.find((one) => one.path === output);
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
