/** For companions of the same version: which texts patterns match. */
export { createDraw, type Draw } from '../patterns/draw.ts';
export { languageWord } from '../patterns/language-word.ts';
export { isProvenLinear } from '../patterns/matching-cost.ts';
export { isSimple } from '../patterns/pattern-check.ts';
export { intersect, languageOf, type TextLanguage } from '../patterns/text-language.ts';
