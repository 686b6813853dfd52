import { sharpestTexts } from './hostile-texts.ts';
import { testMatrix } from './matrix.ts';

testMatrix(sharpestTexts);
