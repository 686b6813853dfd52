import { moduleOf, NoHandlers, platforms, startNest } from './nestjs-application.ts';
import type { Adapter } from './workbench.ts';

/** The Nest module at the root of an application, on either platform. */
export const nestAdapters: readonly Adapter[] = platforms.map(([name, createPlatform]) => ({
  name: `nestjs on ${name}`,
  keepsPath: true,
  exceptions:
    name === 'fastify'
      ? {
          'the path: an authentic delivery below /hook/%zz reaches onInvalid':
            'Fastify refuses what it cannot decode, with 400, before it looks for a route',
          'the path: with an encoding that is none is answered with 404':
            'Fastify refuses what it cannot decode, with 400, before it looks for a route',
        }
      : {},
  serve: (receive) =>
    startNest(createPlatform(), { imports: [moduleOf(receive, '/')], providers: [NoHandlers] }),
}));
