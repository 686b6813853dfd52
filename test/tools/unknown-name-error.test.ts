import { expect, it } from 'vitest';
import { createUnknownNameError } from '../../generator/tools/unknown-name-error.ts';

const names = ['node', 'nextjs', 'nestjs', 'aws-lambda'];

it.each([
  ['nextsj', 'Did you mean "nextjs"?'],
  ['next', 'Did you mean "nextjs"?'],
  ['AWS', 'Did you mean "aws-lambda"?'],
  ['ne', 'There are: node, nextjs, nestjs, aws-lambda.'],
  ['a', 'There are: node, nextjs, nestjs, aws-lambda.'],
  ['', 'There are: node, nextjs, nestjs, aws-lambda.'],
  ['rails', 'There are: node, nextjs, nestjs, aws-lambda.'],
])('suggests for "%s" the name that is meant, or lists all', (name, hint) => {
  const { code, message } = createUnknownNameError('framework', name, names);
  expect({ code, message }).toEqual({
    code: 'usage',
    message: `There is no framework "${name}". ${hint}`,
  });
});
