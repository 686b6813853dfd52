import { memberOf } from '../sending/json-object.ts';
import { valueAt } from '../sending/json-path.ts';
import type { Json } from 'countersign/kit';
import type { Expression, MessagePart } from './expression.ts';
import type { TimeLimit } from './time-limit.ts';

/** The call or the notification of a step. */
export interface Exchange {
  readonly url?: string;
  readonly method?: string;
  readonly statusCode?: number;
  readonly parts: Readonly<Partial<Record<MessagePart, ExchangePart>>>;
}

/** A request, a response or a message. Names of headers are in lower case. */
interface ExchangePart {
  readonly header: Readonly<Record<string, Json>>;
  readonly query?: Readonly<Record<string, Json>>;
  readonly path?: Readonly<Record<string, Json>>;
  readonly body?: Json | undefined;
}

/** The values that runtime expressions can read. */
export interface Scope {
  /** Limits the evaluation of patterns and JSONPaths. */
  readonly limit: TimeLimit;
  readonly inputs: Readonly<Record<string, Json>>;
  /** The outputs of the workflow that a step has run, or of the current one. */
  readonly outputs?: Readonly<Record<string, Json>>;
  readonly exchange?: Exchange;
  stepOutputs(step: string): Readonly<Record<string, Json>> | undefined;
  workflow(id: string):
    | {
        readonly inputs: Readonly<Record<string, Json>>;
        readonly outputs: Readonly<Record<string, Json>>;
      }
    | undefined;
}

/** Returns the value of an expression; nothing where it is not known. */
export function evaluate(expression: Expression, scope: Scope): Json | undefined {
  switch (expression.kind) {
    case 'url':
    case 'method':
    case 'statusCode':
      return scope.exchange?.[expression.kind];
    case 'header': {
      const part = scope.exchange?.parts[expression.of];
      return memberOf(part?.header, expression.name.toLowerCase());
    }
    case 'query':
    case 'path':
      return memberOf(scope.exchange?.parts[expression.of]?.[expression.kind], expression.name);
    case 'body':
      return valueAt(scope.exchange?.parts[expression.of]?.body, expression.path);
    case 'steps':
      return named(scope.stepOutputs(expression.step), expression);
    default: {
      const { kind, workflow } = expression;
      const owner = workflow === undefined ? scope : scope.workflow(workflow);
      return named(owner?.[kind], expression);
    }
  }
}

/** Reads a value by its name, or, as names can contain dots, by the longest name that exists and members of it. */
function named(
  values: Readonly<Record<string, Json>> | undefined,
  { name, path }: { readonly name: string; readonly path: readonly string[] },
): Json | undefined {
  const parts = name.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const namedValue = memberOf(values, parts.slice(0, length).join('.'));
    if (namedValue !== undefined) return valueAt(namedValue, [...parts.slice(length), ...path]);
  }
  return undefined;
}
