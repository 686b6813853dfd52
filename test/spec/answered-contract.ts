import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Contract } from '../../generator/contract/contract.ts';
import { type ReadContract, readContract } from '../../generator/generate.ts';
import { load } from '../../generator/load/load.ts';
import type { Json } from '../../generator/json/json.ts';
import { pointerDocument, pointerMembers } from '../../generator/json/pointer.ts';
import { unstatedEntries } from '../../generator/documents/unstated-entries.ts';
import { clientTarget } from '../../generator/targets/client/target.ts';
import { contractTarget } from '../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../generator/targets/webhooks/target.ts';
import type { ClientModule } from '../packages/runtime/client/generated-client.ts';
import type {
  TestingModule,
  WebhooksModule,
} from '../packages/runtime/webhooks/generated-webhooks.ts';
import { generateProject, repository, scope } from '../targets/emit-project.ts';
import { importModule } from '../targets/import-module.ts';
import { compileStrictly } from '../targets/strict-compile.ts';

const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };

/** The ledger of this repository's contract. */
export const ledger: ReturnType<typeof unstatedEntries> = unstatedEntries(
  await load(files, { folder: repository }),
);

/** Answers of the operator: choices, by the ids of ledger entries. */
export type Answers = Readonly<Record<string, string>>;

/** An action of an overlay. */
export interface OverlayAction {
  /** The document that is changed. Default: `openapi`. */
  readonly document?: 'openapi' | 'asyncapi';
  readonly target: string;
  readonly update: object;
}

/** Values for the choices that require one, by entry and choice. */
export type ChoiceValues = Readonly<Record<string, Readonly<Record<string, Json>>>>;

const txidForms: ChoiceValues = {
  'charge-or-reversal': {
    'by-form': {
      isChargeForm: [{ '$request.body#/Pix/txid': { pattern: '^CHG' } }],
      isChargeReversalForm: [{ '$request.body#/Pix/txid': { pattern: '^REV' } }],
    },
  },
  'due-date-or-static': {
    'by-form': {
      isDueDateForm: [{ '$request.body#/Pix/txid': { pattern: '^DUE' } }],
      isStaticForm: [{ '$request.body#/Pix/txid': { pattern: '^STA' } }],
    },
  },
};

/**
 * Reads the contract with answers, and with further changes of its documents. By default, forms of `txid` decide
 * where an answer requires a form.
 */
export async function readAnswered(
  answers: Answers,
  more: readonly OverlayAction[] = [],
  values: ChoiceValues = txidForms,
): Promise<ReadContract> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-answers-'));
  try {
    await cp(join(repository, 'spec'), join(folder, 'spec'), { recursive: true });
    const overlays: string[] = [];
    for (const name of ['openapi', 'asyncapi'] as const) {
      const changes = more
        .filter(({ document = 'openapi' }) => document === name)
        .map(({ target, update }) => ({ target, update }));
      const actions = [...changes, ...settlingIn(name, answers, values)];
      if (actions.length === 0) continue;
      const info = { title: 'Answers', version: '1.0.0' };
      const overlay = { overlay: '1.0.0', info, extends: `./${name}.yaml`, actions };
      overlays.push(`spec/answers-${name}.yaml`);
      await writeFile(join(folder, `spec/answers-${name}.yaml`), JSON.stringify(overlay));
    }
    const config = { contract: { ...files, overlays }, output: 'generated', targets: [], scope };
    return await readContract(config, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The actions that settle the entries of one document. */
function settlingIn(
  document: string,
  answers: Answers,
  values: ChoiceValues,
): readonly OverlayAction[] {
  return ledger
    .filter(({ id, at }) => id in answers && pointerDocument(at.pointer) === document)
    .map(({ id, at }) => {
      const settled = answers[id] ?? '';
      const value = values[id]?.[settled];
      return {
        target: `$${pointerMembers(at.pointer)
          .map((member) => `['${member}']`)
          .join('')}`,
        update: {
          settled,
          ...(value === undefined ? {} : { choices: { [settled]: { value } } }),
        },
      };
    });
}

/** The package for webhooks that is generated from a contract, imported. */
export interface Receiver {
  readonly webhooks: WebhooksModule;
  readonly testing: TestingModule;
}

/** The packages that are generated from a contract, imported. */
export interface Packages extends Receiver {
  readonly client: ClientModule;
  /** The names of codes. */
  readonly contract: Readonly<Record<string, unknown>>;
  /** The README of the package for webhooks. */
  readonly readme: string;
}

const receiverImports = `
  import * as webhooks from '${scope}/webhooks';
  import * as testing from '${scope}/webhooks/testing';`;

/** Generates the packages of a contract, and imports them as one module. */
export async function importPackages(contract: Contract): Promise<Packages> {
  const targets = [contractTarget, webhooksTarget, clientTarget];
  await using generated = await generateProject(contract, targets, { unformatted: true });
  const modules = await importBundled<Omit<Packages, 'readme'>>(
    generated.project,
    `${receiverImports}
    import * as client from '${scope}/client';
    import * as contract from '${scope}/contract';
    export default { webhooks, testing, client, contract };`,
  );
  const readme = await readFile(join(generated.project, 'webhooks/README.md'), 'utf8');
  return { ...modules, readme };
}

/** Generates the package for webhooks alone, which takes less time. */
export async function importReceiver(contract: Contract): Promise<Receiver> {
  const targets = [contractTarget, webhooksTarget];
  await using generated = await generateProject(contract, targets, { unformatted: true });
  return await importReceiverFrom(generated.project);
}

/** Generates the packages of a contract, and imports the receiver; rejects where a compiler finds fault. */
export async function importCompiled(contract: Contract): Promise<Receiver> {
  const targets = [contractTarget, webhooksTarget, clientTarget];
  await using generated = await generateProject(contract, targets, { unformatted: true });
  const folders = targets.map(({ name }) => `${name}/src`);
  await compileStrictly(generated.project, [...folders, 'webhooks/stubs'], {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  });
  return await importReceiverFrom(generated.project);
}

async function importReceiverFrom(project: string): Promise<Receiver> {
  return await importBundled<Receiver>(
    project,
    `${receiverImports} export default { webhooks, testing };`,
  );
}

async function importBundled<T>(folder: string, contents: string): Promise<T> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['countersign-source'],
  });
  return await importModule<T>(outputFiles[0]?.text ?? '');
}
