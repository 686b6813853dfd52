import type { DiagnosticCode } from '../../diagnostics/catalogue.ts';
import type { Json } from '../../json/json.ts';
import type { Budgets } from '../budgets.ts';
import { createJsonPositions, readJson } from './json-text.ts';
import { type ParseError, type Position, type Positions, startOnly } from './positions.ts';
import type { RepairedYaml } from './repair-yaml.ts';
import { keepWritten, numbersAsTexts } from './written-numbers.ts';

/** The result of parsing a text. Without a value there is at least one report, except for an empty text. */
export interface Parsed {
  readonly value?: Json;
  readonly errors: readonly ParseError[];
  /** What is not valid YAML, but has only one meaning. */
  readonly warnings?: readonly ParseError[];
  readonly positions: Positions;
}

/**
 * Parses YAML 1.2 (core schema, with merge keys) or JSON into a tree of plain JSON values. Expands every alias, and
 * keeps members in the author's order. Rejects repeated keys, values that JSON does not have, `__proto__`, and a text
 * that exceeds a budget. Reads YAML that lacks spaces with a warning, if it has only one meaning.
 */
export async function parseText(text: string, budgets: Budgets): Promise<Parsed> {
  const json = readJson(text);
  if (json !== undefined) {
    const tree = toTree(json.value, budgets, createJsonPositions(text), true);
    // The YAML parser reports a repeated key, because it knows both places.
    if (tree.errors.length > 0 || tree.members === json.members) return tree;
  }
  const { createYamlPositions, readYaml } = await import('./yaml-text.ts');
  // The parser counts two levels more than `toTree`: the value of a document has level 2.
  const limits = { maxDepth: budgets.maxDepth + 2, maxAliases: budgets.maxAliases };
  let raw: unknown;
  let repaired: RepairedYaml | undefined;
  try {
    raw = readYaml(text, limits);
  } catch (error) {
    const { repairYaml } = await import('./repair-yaml.ts');
    try {
      repaired = repairYaml(text, limits.maxDepth);
      if (repaired === undefined) throw error;
      raw = readYaml(repaired.text, limits);
    } catch {
      return { errors: await explain(text, error, budgets), positions: startOnly };
    }
  }
  if (raw === undefined) return { errors: [], positions: startOnly };
  const { warnings, toOriginal } = repaired ?? { warnings: [], toOriginal: (at) => at };
  const written = createYamlPositions(repaired?.text ?? text);
  const positions: Positions = {
    ...written,
    locate: (members) => toOriginal(written.locate(members)),
  };
  const tree = toTree(raw, budgets, positions);
  const mistyped =
    tree.value === undefined ? [] : keepWritten(tree.value, tree.numbersAsTexts, positions);
  return { ...tree, warnings: [...warnings, ...mistyped] };
}

/** A checked tree of plain JSON. */
interface Tree extends Parsed {
  /** The number of all members of objects. */
  readonly members: number;
  /** The places of numbers where texts are expected. */
  readonly numbersAsTexts: readonly (readonly string[])[];
}

/**
 * Converts a value to a tree of plain JSON, and checks it.
 * @param isTree whether the value is a tree already, which is checked but not copied
 */
function toTree(raw: unknown, budgets: Budgets, positions: Positions, isTree = false): Tree {
  const errors: ParseError[] = [];
  const numbers: (readonly string[])[] = [];
  const path: string[] = [];
  let nodes = 0;
  let members = 0;
  let exhausted = false;

  const report = (code: DiagnosticCode, message: string, help?: string): void => {
    errors.push({ code, message, ...positions.locate(path), help });
  };
  const exhaust = (message: string): null => {
    if (!exhausted) report('contract-too-large', message);
    exhausted = true;
    return null;
  };

  const copy = (value: unknown): Json => {
    if (exhausted) return null;
    nodes += 1;
    if (nodes > budgets.maxNodes) {
      return exhaust(
        `With all aliases expanded, the file has more than ${budgets.maxNodes} values (budget \`maxNodes\`).`,
      );
    }
    if (path.length > budgets.maxDepth) {
      return exhaust(
        `The file is nested deeper than ${budgets.maxDepth} levels (budget \`maxDepth\`).`,
      );
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        report(
          'yaml-syntax',
          'The number is outside the range of JSON numbers.',
          'Write a finite number that fits into a double.',
        );
        return null;
      }
      return value;
    }
    if (Array.isArray(value)) {
      if (isEnumeration(path.at(-1)) && value.length > budgets.maxEnumerationValues) {
        return exhaust(
          `The enumeration has more than ${budgets.maxEnumerationValues} values (budget \`maxEnumerationValues\`).`,
        );
      }
      if (!isTree) return value.map((item: unknown, index) => within(String(index), item));
      for (const [index, item] of value.entries()) within(String(index), item);
      return value as Json;
    }
    if (isRecord(value)) {
      const result: Record<string, Json> = isTree ? (value as Record<string, Json>) : {};
      if (!isTree) numbers.push(...numbersAsTexts(value, path));
      for (const [member, child] of Object.entries(value)) {
        members += 1;
        const copied = within(member, child, checkName);
        if (!isTree && member !== '__proto__') result[member] = copied;
      }
      return result;
    }
    report(
      'yaml-syntax',
      'The value has a YAML tag that has no equivalent in JSON.',
      'Write the value as text, a number, a list or a mapping, without a tag.',
    );
    return null;
  };
  const checkName = (child: unknown): Json => {
    const name = path.at(-1) ?? '';
    if (name === '__proto__') {
      report(
        'reserved-name',
        'A member is named `__proto__`, which a JavaScript object cannot hold safely.',
      );
    } else if (!name.isWellFormed()) {
      report(
        'yaml-syntax',
        'The name of a member is not valid Unicode: it contains half of a surrogate pair.',
        'Write the character itself, or both of its `\\u` escapes.',
      );
    } else return copy(child);
    return null;
  };
  const within = (member: string, child: unknown, read = copy): Json => {
    path.push(member);
    const result = read(child);
    path.pop();
    return result;
  };

  const value = copy(raw);
  return {
    ...(errors.length === 0 ? { value } : {}),
    errors,
    positions,
    members,
    numbersAsTexts: numbers,
  };
}

function isEnumeration(member: string | undefined): boolean {
  return member === 'enum' || member === 'x-extensible-enum';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The length of a text up to which all of its mistakes are reported, and not only the first. */
const maxExplained = 1_000_000;

/**
 * Converts an exception of the YAML parser to errors. This parser stops at the first syntax error; the parser that knows
 * positions finds them all.
 */
async function explain(
  text: string,
  error: unknown,
  budgets: Budgets,
): Promise<readonly ParseError[]> {
  const { reason, position } = readException(error);
  if (error instanceof RangeError || reason.startsWith('nesting exceeded')) {
    const message = `The file is nested deeper than ${budgets.maxDepth} levels (budget \`maxDepth\`).`;
    return [{ code: 'contract-too-large', message, ...position }];
  }
  if (reason.startsWith('aliases exceeded')) {
    const message = `The file has more than ${budgets.maxAliases} aliases (budget \`maxAliases\`).`;
    return [{ code: 'contract-too-large', message, ...position }];
  }
  // Finding all mistakes takes ten times as long, and most of the memory.
  if (text.length <= maxExplained) {
    const { findSyntaxMistakes } = await import('./syntax-mistakes.ts');
    const mistakes = findSyntaxMistakes(text);
    if (mistakes.length > 0) return mistakes;
  }
  return [{ code: 'yaml-syntax', message: `The text is not YAML: ${reason}.`, ...position }];
}

function readException(error: unknown): { reason: string; position: Position } {
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : String(error);
  const mark = error instanceof Error && 'mark' in error ? error.mark : undefined;
  if (typeof mark === 'object' && mark !== null && 'line' in mark && 'column' in mark) {
    return { reason, position: { line: Number(mark.line) + 1, column: Number(mark.column) + 1 } };
  }
  return { reason, position: { line: 1, column: 1 } };
}
