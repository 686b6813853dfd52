import { sharpestTexts } from '../targets/hostile-texts.ts';
import { testMatrix } from './matrix.ts';

testMatrix(sharpestTexts);
