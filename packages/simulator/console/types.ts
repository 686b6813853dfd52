export type { ControlState } from '../src/console/control-routes.ts';
export type { ServiceOverview } from '../src/console/description-routes.ts';
export type { EntrySummary } from '../src/console/entry-summary.ts';
export type { RunData } from '../src/console/run-routes.ts';
export type { CheckStep, DeliveryEntry, Entry, SignatureReport } from '../src/entry.ts';
export type { Json } from 'countersign/kit';
export type { Violation } from '../src/service.ts';
