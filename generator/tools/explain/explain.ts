import { resolve } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import { diagnosticCodes } from '../../diagnostics/diagnostic.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { count } from '../../diagnostics/list-texts.ts';
import { printable } from '../../diagnostics/printable.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Documents } from '../../documents/documents.ts';
import { toFile } from '../../load/file-paths.ts';
import type { OutputFile } from '../../targets/target.ts';
import { CommandError } from '../command-error.ts';
import { createExplainer, type Explainer, type Explanation } from './explainer.ts';
import { type ContractPart, findParts, isMemberPath } from './find-parts.ts';
import { type FileLine, readFileLine } from './place.ts';

/** A contract, and where its files are. The folders are absolute. */
interface ContractToExplain {
  readonly contract: Contract;
  readonly documents: Documents;
  /** What the paths of the contract are relative to. */
  readonly folder: string;
  /** The folder of generated files. */
  readonly output: string;
}

/** What is known of a name or place: an explanation, parts of the model, or both. */
interface Explained {
  /** Left out for what only the model has. */
  readonly explanation?: Explanation;
  readonly parts: readonly ContractPart[];
}

/**
 * Explains a generated name, a name of the contract, a pointer, a line of a file, or a path into the model.
 * @param from the folder that files are relative to where they are asked for, absolute
 * @param emit generates the files; not called for a member of the model, which can be shown although a target fails
 * @throws CommandError `usage` for what is none of these, and for a line that a file does not have
 */
export async function explain(
  asked: string,
  from: string,
  read: ContractToExplain,
  emit: () => Promise<readonly OutputFile[]>,
): Promise<Explained> {
  const { contract, documents } = read;
  const parts = findParts(contract, asked);
  if (parts.length > 0 && isMemberPath(contract, asked)) return { parts };
  const files = await emit();
  const explainer = createExplainer(contract, documents, files);
  const explanation = find(asked, from, explainer, read, files);
  if (explanation !== undefined) return { explanation, parts };
  if (parts.length > 0) return { parts };
  const hint =
    didYouMean(asked, [...explainer.names, ...diagnosticCodes()], 3) ??
    'Give the code of a diagnostic, a generated name, an event, an operation, a label, a pointer, file#pointer, file:line, or a path into the model.';
  throw new CommandError('usage', `${quote(asked)} is not a known name or place. ${hint}`);
}

/** Looks up what is asked for by its form. A name can have any form, so names go first. */
function find(
  asked: string,
  from: string,
  explainer: Explainer,
  { documents, folder, output }: ContractToExplain,
  files: readonly OutputFile[],
): Explanation | undefined {
  const named = explainer.byName(asked);
  if (named !== undefined) return named;
  if (/^(?:openapi|asyncapi)?#/u.test(asked) || asked.startsWith('/')) {
    const pointed = explainer.byPointer(asked);
    if (pointed !== undefined) return pointed;
  }
  const [, citedFile, pointer] = /^([^#]+)#(\/.*)$/su.exec(asked) ?? [];
  if (citedFile !== undefined && pointer !== undefined)
    return explainer.byCitation(`${toFile(folder, resolve(from, citedFile))}#${pointer}`);
  const place = readFileLine(asked);
  const path = resolve(from, place.file);
  const file = toFile(folder, path);
  const contractFile = documents.files.find((candidate) => candidate.path === file);
  if (contractFile !== undefined) {
    assertLine({ ...place, file }, contractFile.text);
    return explainer.byContractLine({ ...place, file });
  }
  const generatedFile = toFile(output, path);
  const generated = files.find((candidate) => candidate.path === generatedFile);
  if (generated === undefined) return undefined;
  assertLine({ ...place, file }, generated.text);
  return explainer.byGeneratedLine({ ...place, file: generatedFile });
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
