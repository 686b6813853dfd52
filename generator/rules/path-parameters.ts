import type { Cursor } from '../json/cursor.ts';
import type { Finding, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { operationMethods } from '../specification/openapi-grammar.ts';
import { templateNames } from '../contract/path-template.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Checks that the declared path parameters of each operation are the names in braces of its path (OpenAPI 3.1,
 * 4.8.8.2).
 */
export const pathParameters: Rule = {
  codes: ['undeclared-path-parameter'],
  *check({ documents }) {
    for (const place of placesOf(documents, 'path-item')) {
      if (place.parent?.kind === 'paths') yield* checkPath(place.key, place.follow());
    }
  },
};

function* checkPath(path: string, item: Cursor): Iterable<Finding> {
  const names = templateNames(path);
  const common = pathParametersIn(item);
  const operations = item.entries().filter(([member]) => operationMethods.includes(member));
  const ofOperations = operations.map(([, operation]) => pathParametersIn(operation));
  for (const parameter of [common, ...ofOperations].flat()) {
    const name = parameter.text('name');
    if (name === undefined || names.includes(name)) continue;
    yield {
      pointer: parameter.pointer,
      message: `The path parameter ${quote(name)} is not in the path ${quote(path)}.`,
      until: 'it is not sent',
    };
  }
  for (const [index, [method, operation]] of operations.entries()) {
    const declared = [...common, ...(ofOperations[index] ?? [])].map((at) => at.text('name'));
    for (const name of names.filter((wanted) => !declared.includes(wanted))) {
      yield {
        pointer: operation.pointer,
        message: `The path ${quote(path)} has the parameter ${quote(name)}, which its operation ${method.toUpperCase()} does not declare.`,
        until: 'it is read as a string',
      };
    }
  }
}

function pathParametersIn(at: Cursor): readonly Cursor[] {
  return at
    .items('parameters')
    .map((parameter) => parameter.follow())
    .filter((parameter) => parameter.text('in') === 'path');
}
