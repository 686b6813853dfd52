import { startCalculators } from './calculator.ts';
import { startCopying } from './copy.ts';
import { startEntries } from './entries.ts';
import { startMenu } from './menu.ts';
import { startPicking } from './pick.ts';
import { startSearch } from './search.ts';
import { startThemeButton } from './theme-button.ts';

startEntries();
startThemeButton();
startMenu();
startPicking();
startCopying();
startSearch();
startCalculators();
