import type { SignatureScheme } from '@countersign/runtime/signing';
import type { SimulatorContext } from '../context.ts';
import type { OrUnstated } from 'countersign/kit';
import type { OpenQuestion, SentSignature } from '../service.ts';
import type { AlternativeScheme } from './deviations.ts';
import type { DeviationSubject } from './deviation-candidate.ts';
import { toSecretScheme } from '../sending/signature-scheme.ts';

/** Returns the schemes that the other answers to the open questions of a signature give, one question at a time. */
export function alternativeSchemes(
  data: SentSignature,
  current: SignatureScheme,
  { answers, description, settle }: Pick<SimulatorContext, 'answers' | 'description' | 'settle'>,
): readonly AlternativeScheme[] {
  const alternatives: AlternativeScheme[] = [];
  for (const [id, subject] of subjectsOf(data, current)) {
    const question = description.unstated.find((candidate) => candidate.id === id);
    for (const { name, meaning, value } of question?.choices ?? []) {
      if (name === answers[id]) continue;
      const choose = <T>(member: OrUnstated<T>): T =>
        // The value of a choice has the type of the member that refers to its question.
        isReference(member, id) ? (value as T) : settle(member);
      try {
        const scheme = toSecretScheme(data, choose);
        alternatives.push({ id, choice: name, meaning, subject, scheme });
      } catch {
        // A choice that gives no valid scheme cannot explain a signature.
      }
    }
  }
  return alternatives;
}

/** Returns the choice of a question that has a value, written as an option of the command. */
export function answerFor(
  value: unknown,
  stated: unknown,
  questions: readonly OpenQuestion[],
): string | undefined {
  const question = questions.find(({ id }) => isReference(stated, id));
  const choice = question?.choices.find((candidate) => candidate.value === value);
  return question === undefined || choice === undefined
    ? undefined
    : `--answer ${question.id}=${choice.name}`;
}

function isReference(value: unknown, id: string): boolean {
  return (
    typeof value === 'object' && value !== null && 'unstated' in value && value.unstated === id
  );
}

/** Returns what the questions of a signature are about, by their ids. */
function subjectsOf(
  { key, algorithm, encoding, over }: SentSignature,
  current: SignatureScheme,
): ReadonlyMap<string, DeviationSubject> {
  const subjects = new Map<string, DeviationSubject>();
  const add = (value: OrUnstated<unknown>, subject: DeviationSubject): void => {
    if (typeof value === 'object' && value !== null && 'unstated' in value)
      subjects.set(String(value.unstated), subject);
  };
  if (key.encoding !== undefined) add(key.encoding, 'key');
  add(algorithm, 'algorithm');
  add(encoding, 'encoding');
  for (const [index, part] of over.entries()) {
    const now = current.over[index];
    add(
      part,
      typeof now === 'object' ? 'separator' : now?.startsWith('$url') === true ? 'path' : 'part',
    );
  }
  return subjects;
}
