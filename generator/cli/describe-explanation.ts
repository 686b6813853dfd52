import type { Location } from '../diagnostics/diagnostic.ts';
import type { Declaration } from '../tools/explain/declarations.ts';
import type { ExplainedSubject, Explanation } from '../tools/explain/explainer.ts';
import { stateOf } from '../contract/ledger-states.ts';
import { count } from '../diagnostics/list-texts.ts';
import type { OneContract } from './one-contract.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';

/** The number of names, of files and of steps of a decision, shown for each subject without `--verbose`. */
const maxShownNames = 12;

/** The number of subjects described in full without `--verbose`. If there are more, each gets one line. */
const maxDescribed = 3;

/** Describes an explanation as text for the terminal. */
export function describeExplanation(
  { declarations, explained }: Explanation,
  loadedContract: OneContract,
  paint: Paint,
  all: boolean,
): string {
  const asked = declarations.map(
    (declaration) =>
      `${paint('bold', printable(nameOf(declaration)))}  ${declaration.kind}  ${placeOf(declaration, loadedContract)}`,
  );
  const things =
    explained.length > maxDescribed && !all
      ? [
          [
            `It refers to ${count(explained.length, 'part')} of the contract (--verbose shows each in full):`,
            ...explained.map(({ subject }) => {
              const at = toPlace(loadedContract.documents.locate(subject.pointer));
              return `  ${subject.kind} ${printable(subject.name)}  ${paint('dim', at)}`;
            }),
          ].join('\n'),
        ]
      : explained.map((thing) => describeThing(thing, loadedContract, paint, all));
  const nothing = explained.length === 0 ? ['It does not depend on the contract.'] : [];
  const blocks = [...(asked.length === 0 ? [] : [asked.join('\n')]), ...things, ...nothing];
  return `${blocks.join('\n\n')}\n`;
}

function describeThing(
  { subject, unstated, recognition, declarations, files }: ExplainedSubject,
  loadedContract: OneContract,
  paint: Paint,
  all: boolean,
): string {
  const { documents, config } = loadedContract;
  const { sourceDocument } = loadedContract.contract.info;
  const document = sourceDocument === undefined ? '' : `${sourceDocument}, `;
  const cited =
    subject.source.length === 0 ? 'none cited' : `${document}${subject.source.join(', ')}`;
  const elsewhere = files.filter((path) => !declarations.some(({ file }) => file.path === path));
  return [
    `${paint('bold', printable(subject.name))}  ${subject.kind}`,
    `  contract   ${toPlace(documents.locate(subject.pointer))}  ${paint('dim', printable(subject.pointer))}`,
    `  source     ${printable(cited)}`,
    ...column(
      'unstated',
      unstated.flatMap((entry) => {
        const answer = entry.settled ?? entry.assumed;
        const state = `${stateOf(entry)}${answer === undefined ? '' : `: ${answer}`}`;
        return [
          `${printable(entry.id)}  ${printable(state)}  ${paint('dim', toPlace(documents.locate(entry.pointer)))}`,
          `  ${printable(entry.question.trim().replaceAll(/\s+/gu, ' '))}`,
        ];
      }),
      Infinity,
    ),
    ...column('decision', recognition.map(printable), all ? Infinity : maxShownNames),
    ...column(
      'generated',
      declarations.map(
        (declaration) =>
          `${printable(nameOf(declaration))}  ${declaration.kind}  ${paint('dim', placeOf(declaration, loadedContract))}`,
      ),
      all ? Infinity : maxShownNames,
    ),
    ...column(
      declarations.length === 0 ? 'generated' : 'also in',
      elsewhere.map((path) => printable(`${config.output}/${path}`)),
      all ? Infinity : maxShownNames,
    ),
  ].join('\n');
}

function column(title: string, lines: readonly string[], shown: number): readonly string[] {
  const hidden = lines.length - shown;
  const rest = hidden > 0 ? [`… and ${hidden} more (--verbose shows all)`] : [];
  return [...lines.slice(0, shown), ...rest].map(
    (line, index) => `  ${(index === 0 ? title : '').padEnd(9)}  ${line}`,
  );
}

/** Returns an explanation as data for `--json`. */
export function toExplanationData(
  asked: string,
  explanation: Explanation,
  { documents, config: { output } }: OneContract,
): object {
  const toDeclaration = (declaration: Declaration): object => ({
    name: nameOf(declaration),
    kind: declaration.kind,
    file: `${output}/${declaration.file.path}`,
    line: declaration.line,
  });
  return {
    asked,
    declarations: explanation.declarations.map(toDeclaration),
    explained: explanation.explained.map(
      ({ subject, unstated, recognition, declarations, files }) => ({
        kind: subject.kind,
        name: subject.name,
        pointer: subject.pointer,
        ...documents.locate(subject.pointer),
        source: subject.source,
        unstated: unstated.map((entry) => ({
          id: entry.id,
          state: stateOf(entry),
          question: entry.question,
          assumed: entry.assumed,
          settled: entry.settled,
          ...documents.locate(entry.pointer),
        })),
        recognition,
        declarations: declarations.map(toDeclaration),
        files: files.map((path) => `${output}/${path}`),
      }),
    ),
  };
}

function nameOf({ name, owner }: Declaration): string {
  return owner === undefined ? name : `${owner}.${name}`;
}

function placeOf({ file, line }: Declaration, { config }: OneContract): string {
  return printable(`${config.output}/${file.path}:${line}`);
}

function toPlace({ file, line }: Location): string {
  return printable(`${file}:${line}`);
}
