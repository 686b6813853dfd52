import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attemptsOf,
  deliverTo,
  expectAllHandled,
  expectCompletePlan,
  expectNothingLogged,
} from './deliver-to-scaffolded.ts';
import { scaffoldApplications, type ScaffoldedApplications } from './scaffolded-applications.ts';

const frameworks = ['express', 'fastify'] as const;
let applications: ScaffoldedApplications;

beforeAll(async () => {
  applications = await scaffoldApplications(frameworks);
});

afterAll(async () => await applications[Symbol.asyncDispose]());

describe.each(frameworks)('the scaffolded application for %s', (framework) => {
  it('handles each valid event of 2,000 deliveries with all faults, and the same in a second run', async () => {
    const first = await deliverTo(await applications.start(framework), 2000);
    expect(first.plan).toHaveLength(2000);
    expectCompletePlan(first.plan);
    expectAllHandled(first);
    expectNothingLogged(first);
    const second = await deliverTo(await applications.start(framework), 2000);
    expect(JSON.stringify(second.plan)).toBe(JSON.stringify(first.plan));
    expect(attemptsOf(second)).toEqual(attemptsOf(first));
    expectAllHandled(second);
  }, 600_000);
});
