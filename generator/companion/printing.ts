/** For companions of the same version: what targets print. */
export { markdown, markdownCode } from '../targets/escape.ts';
