/** For companions of the same version: values of options, and the names that they choose from. */
export { readAnswers } from '../cli/read-answers.ts';
export { createInvalidError, nameOf, selectConfig } from '../cli/select-config.ts';
export { shellWord } from '../execution/shell-word.ts';
export { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';
