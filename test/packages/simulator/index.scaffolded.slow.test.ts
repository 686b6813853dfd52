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

describe('a scaffolded application', () => {
  it('handles each valid event of 200 deliveries with all faults, nothing else, and logs no content', async () => {
    const outcomes = [];
    for (const framework of frameworks) {
      const outcome = await deliverTo(await applications.start(framework), 200);
      expectCompletePlan(outcome.plan);
      expectAllHandled(outcome);
      expectNothingLogged(outcome);
      outcomes.push(outcome);
    }
    const [first, second] = outcomes;
    expect(JSON.stringify(second?.plan)).toBe(JSON.stringify(first?.plan));
    expect(second && attemptsOf(second)).toEqual(first && attemptsOf(first));
  });
});
