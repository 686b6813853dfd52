import { relative, resolve, sep } from 'node:path';
import { type Explainer, type Explanation, createExplainer } from '../tools/explain/explain.ts';
import { type FileLine, readFileLine } from '../tools/explain/place.ts';
import { emitFiles } from '../emit/emit.ts';
import type { Invocation } from './command.ts';
import { CommandError } from '../tools/command-error.ts';
import { describeExplanation, toExplanationData } from './describe-explanation.ts';
import { showResults } from './each-contract.ts';
import { count } from './describe-generation.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { type OneContract, readOneContract } from './one-contract.ts';
import { printable } from '../tools/paint.ts';
import type { OutputFile } from '../targets/target.ts';

/** Explains a generated name or a location: the part of the contract it comes from, and what is generated from that. */
export async function runExplain(invocation: Invocation): Promise<ExitCode> {
  const { values, terminal } = invocation;
  const [asked = ''] = values;
  const one = await readOneContract(invocation);
  const { config, loaded, contract, documents } = one;
  const files = await emitFiles(contract, config, loaded.file);
  const explainer = await createExplainer(contract, documents, files);
  const explanation = find(asked, explainer, one, files, terminal.folder);
  if (explanation === undefined) {
    const { default: distance } = await import('leven');
    const hint = hintOf(asked, explainer, distance);
    throw new CommandError(
      'usage',
      `${JSON.stringify(asked)} is not a known name or place. ${hint}`,
    );
  }
  const shown = {
    explanation,
    documents,
    output: config.output,
    ...(contract.info.sourceDocument === undefined
      ? {}
      : { sourceDocument: contract.info.sourceDocument }),
  };
  const result = {
    exitCode: exitCodes.ok,
    data: toExplanationData(asked, shown),
    diagnostics: [],
    files: [],
    describe: (paint: Parameters<typeof describeExplanation>[1]) =>
      describeExplanation(shown, paint, invocation.flags.verbose),
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
  const within = (of: string): string =>
    relative(of, resolve(folder, place.file)).split(sep).join('/');
  const file = within(loaded.folder);
  const written = documents.files.find(({ path }) => path === file);
  if (written !== undefined) {
    assertLine({ ...place, file }, written.text);
    return explainer.byContractLine({ ...place, file });
  }
  const output = within(resolve(loaded.folder, config.output));
  const generated = files.find(({ path }) => path === output);
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

/** Returns a hint with the three nearest names, nearest first, or with what can be given instead. */
function hintOf(
  asked: string,
  { names }: Explainer,
  distance: (from: string, to: string, options: { maxDistance: number }) => number,
): string {
  if (asked.length > 200) return 'The text is too long for a name.';
  const most = Math.max(1, Math.floor(asked.length / 3));
  const near = names
    .map((name) => ({
      name,
      steps: distance(asked.toLowerCase(), name.toLowerCase(), { maxDistance: most + 1 }),
    }))
    .filter(({ steps }) => steps <= most)
    .toSorted((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => JSON.stringify(name));
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return 'Give a generated name, an event, an operation, a label, a pointer, or file:line.';
}
