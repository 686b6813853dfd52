import {
  integer,
  members,
  readBody,
  type Reader,
  RefusedRequest,
  required,
  share,
  text,
} from '@countersign/console/frame';
import { Hono } from 'hono';
import type { Duration } from '../clock.ts';
import { callFaults, deliveryFaults, type FaultName, type Faults } from '../faults.ts';
import { toMilliseconds } from '../virtual-clock.ts';
import type { ConsoleContext } from './console-context.ts';

/** What can change while a simulator runs, besides its journal and its workflow runs. */
export interface ControlState {
  /** The receiver's base address. */
  readonly to?: string;
  /** The addresses that can be chosen. */
  readonly targets: readonly string[];
  readonly faults: Faults;
  /** The simulator's clock, in milliseconds since 1970. */
  readonly now: number;
}

const names: readonly FaultName[] = [...deliveryFaults, ...callFaults];
const faults: Reader<Faults> = members(Object.fromEntries(names.map((name) => [name, share])));
const maxAdvanceMs = 366 * 86_400_000;
const duration: Reader<Duration> = (value, where) =>
  integer(0, maxAdvanceMs)(
    typeof value === 'string' && /^\d{1,11}(?:\.\d{1,3})?(?:ms|s|m|h|d)$/u.test(value)
      ? Math.round(toMilliseconds(value as Duration))
      : value,
    where,
  );

/** Controls the simulator: faults, clock, tokens and receiver. */
export function controlRoutes(shared: ConsoleContext): Hono {
  const { simulator, targets } = shared;
  return new Hono()
    .get('/state', (context) => context.json(stateOf(shared)))
    .get('/faults', (context) => context.json(simulator.faults))
    .put('/faults', async (context) => {
      simulator.faults = await readBody(context, faults);
      return context.json(simulator.faults);
    })
    .post('/clock/advance', async (context) => {
      const { by } = await readBody(context, members({ by: duration }));
      await simulator.clock.advance(required(by, 'by'));
      return context.json({ now: simulator.clock.now() });
    })
    .post('/tokens/revoke', (context) => {
      simulator.revokeTokens();
      return context.json({});
    })
    .put('/receiver', async (context) => {
      const { to } = await readBody(context, members({ to: text() }));
      const target = URL.parse(required(to, 'to'))?.href;
      if (target === undefined || !targets.includes(target))
        throw new RefusedRequest(
          403,
          'unknown-target',
          'Only a receiver that was given at the start can be chosen.',
        );
      simulator.to = target;
      return context.json(stateOf(shared));
    });
}

function stateOf({ simulator, targets }: ConsoleContext): ControlState {
  const { to, faults: current, clock } = simulator;
  return { ...(to !== undefined && { to }), targets, faults: current, now: clock.now() };
}
