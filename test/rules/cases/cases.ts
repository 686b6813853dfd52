import type { Breach, Observance } from '../rule-case.ts';
import * as answers from './answers.ts';
import * as examples from './examples.ts';
import * as ledger from './ledger.ts';
import * as names from './names.ts';
import * as notifications from './notifications.ts';
import * as operations from './operations.ts';
import * as pagination from './pagination.ts';
import * as schemas from './schemas.ts';
import * as signatures from './signatures.ts';
import * as sources from './sources.ts';
import * as vocabulary from './vocabulary.ts';
import * as workflows from './workflows.ts';

const files = [
  answers,
  examples,
  ledger,
  names,
  notifications,
  operations,
  pagination,
  schemas,
  signatures,
  sources,
  vocabulary,
  workflows,
];

/** Contracts that break one rule each, of every file in this folder. */
export const breaches: readonly Breach[] = files.flatMap((file) => file.breaches);

/** Contracts that keep a rule which they seem to break, of every file in this folder. */
export const observances: readonly Observance[] = files.flatMap((file) => file.observances);
