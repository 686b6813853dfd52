import { hostileTexts } from '../targets/hostile-texts.ts';
import { testMatrix } from './matrix.ts';

testMatrix(hostileTexts);
testMatrix(hostileTexts, 'folder');
