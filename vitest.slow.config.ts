import type { ViteUserConfig } from 'vitest/config';
import { configure } from './vitest.config.ts';

/** The tests that CI runs beside those of `vitest.config.ts`: compilers, installed packages, kills, whole contracts. */
const slow: ViteUserConfig = configure({ without: ['.all'], only: '.slow' });

export default slow;
