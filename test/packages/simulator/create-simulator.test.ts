import { expect, onTestFinished, test } from 'vitest';
import { createSimulator } from '../../../packages/simulator/src/index.ts';
import { fixtureService } from './fixture-service.ts';

test.each([
  [{ modelVersion: 0 }, 'has version 0 of the model'],
  [{ modelVersion: undefined }, 'has no version of the model'],
])('a package with %o is refused with both versions and the repair', async (stated, text) => {
  const description = { ...fixtureService, ...stated } as unknown as typeof fixtureService;
  const starting = createSimulator(description);
  await expect(starting).rejects.toMatchObject({ code: 'model-version' });
  await expect(starting).rejects.toThrow(
    new RegExp(`${text}, .* reads version 2\\. Run \`countersign generate\``, 'u'),
  );
});

test('a package in the version that the simulator reads starts', async () => {
  const simulator = await createSimulator(fixtureService);
  onTestFinished(() => simulator.close());
  expect(simulator.url).toMatch(/^http:/u);
});
