import { hostileTexts } from './hostile-texts.ts';
import { testMatrix } from './matrix.ts';

testMatrix(hostileTexts);
testMatrix(hostileTexts, 'folder');
