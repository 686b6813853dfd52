import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Type } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { compile } from '../../../targets/compile.ts';
import { repository } from '../../../targets/emit-project.ts';
import { startNest } from '../webhooks/nestjs-application.ts';

/** An application as its author writes it, with decorators that are typed as generated ones are. */
const source = `
import { Injectable, Module, type ConfigurableModuleCls } from '@nestjs/common';
import {
  createReceiver, unauthenticated,
  type DeliveryContext, type Event, type Handler, type InvalidDelivery, type OnInvalid as InvalidHandler,
  type ReceiverOptions, type UnidentifiedEvent,
} from '@countersign/runtime/webhooks';
import { createOn, createWebhooksModule, type MethodMark, type MountOptions } from '@countersign/runtime/adapters/nestjs';

type CreatedEvent = Event<'created', { readonly id: number }, 'canonical'>;
type DeletedEvent = Event<'deleted', { readonly id: number }, 'canonical'>;
interface On<E> { (): MethodMark<Handler<E>>; readonly KEY: string }
const OnCreated: On<CreatedEvent> = createOn();
const OnOtherwise: {
  (): MethodMark<Handler<UnidentifiedEvent>>;
  (options: { readonly rest: true }): MethodMark<Handler<UnidentifiedEvent | CreatedEvent>>;
  readonly KEY: string;
} = createOn();
const OnInvalid: { (): MethodMark<InvalidHandler<'created'>>; readonly KEY: string } = createOn();

const check = { accepts: () => true, violations: () => [] };
const nothing = { nodes: [], start: [] };
const catalogue = {
  name: 'created',
  kinds: new Map([['created', { check }]]), unions: new Map<string, string>(),
  routes: [{ segments: ['created'], kinds: [{ method: '', kinds: ['created'] }] }],
  methods: ['POST'], reads: [], kindOf: nothing, forms: new Map(), formOf: nothing,
};
const Base: ConfigurableModuleCls<ReceiverOptions & MountOptions, 'forRoot'> = createWebhooksModule<ReceiverOptions>({
  on: [['created', OnCreated]], otherwise: OnOtherwise, onInvalid: OnInvalid,
  createReceive: (options) => createReceiver(catalogue, options),
});
class WebhooksModule extends Base {}

@Injectable()
export class Ledger {
  readonly entries: string[] = [];
}

@Injectable()
class Handlers {
  constructor(private readonly ledger: Ledger) {}

  @OnCreated()
  async created(event: CreatedEvent, context: DeliveryContext): Promise<void> {
    await Promise.resolve();
    this.ledger.entries.push(event.kind + event.data.id + context.index);
  }

  @OnOtherwise()
  otherwise({ kind }: UnidentifiedEvent) {
    this.ledger.entries.push(String(kind));
  }

  @OnInvalid()
  invalid(delivery: InvalidDelivery<'created'>) {
    this.ledger.entries.push(delivery.reason);
  }
}

@Module({ imports: [WebhooksModule.forRoot({ authenticate: unauthenticated() })], providers: [Handlers, Ledger], exports: [Ledger] })
export class AppModule {}

export class Wrong {
  // @ts-expect-error -- it gets another kind of event
  @OnCreated() other(event: DeletedEvent) { return event; }
  // @ts-expect-error -- it needs more than it gets
  @OnCreated() more(event: CreatedEvent, context: DeliveryContext, third: string) { return [event, context, third]; }
  // @ts-expect-error -- a handler for other kinds gets their events too
  @OnOtherwise({ rest: true }) rest({ kind }: UnidentifiedEvent): null { return kind; }
  @OnOtherwise({ rest: true }) all(event: UnidentifiedEvent | CreatedEvent) { return event.kind; }
  @OnCreated() none() {}
}
export const misplaced = (): unknown => {
  // @ts-expect-error -- a class is not a handler
  @OnCreated() class Whole {}
  class Parts {
    // @ts-expect-error -- nor is a member that a decorator cannot find again
    @OnCreated() created = (event: CreatedEvent) => event;
  }
  return [Whole, Parts];
};
`;

const options = {
  strict: true,
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  customConditions: ['countersign-source'],
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  types: ['node'],
};

test('a class with decorators works as the compilers of TypeScript understand it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-decorators-'));
  try {
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'app.ts'), source);
    const config = { compilerOptions: { ...options, noEmit: true }, files: ['app.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await compile('ts7', folder, ['-p', '.']);
    await writeFile(join(folder, 'app.js'), emit(join(folder, 'app.ts')));
    const { AppModule, Ledger } = (await import(pathToFileURL(join(folder, 'app.js')).href)) as {
      AppModule: Type;
      Ledger: Type<{ readonly entries: readonly string[] }>;
    };
    let ledger: { readonly entries: readonly string[] } | undefined;
    await using served = await startNest(new ExpressAdapter(), { imports: [AppModule] }, (app) => {
      ledger = app.get(Ledger, { strict: false });
    });
    for (const path of ['created', ''])
      await fetch(`http://127.0.0.1:${served.port}/webhooks/${path}`, {
        method: 'POST',
        body: '{"id":7}',
      });
    expect(ledger?.entries).toEqual(['created70', 'null']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** The file as JavaScript; throws where it does not compile. */
function emit(path: string): string {
  const { options: parsed } = ts.convertCompilerOptionsFromJson(options, repository);
  const program = ts.createProgram([path], parsed);
  const file = program.getSourceFile(path);
  if (file === undefined) throw new Error(`${path} is not part of the program`);
  const faults = ts.getPreEmitDiagnostics(program, file);
  const texts = faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(texts).toEqual([]);
  let output = '';
  program.emit(file, (_name, text) => {
    output = text;
  });
  return output;
}
