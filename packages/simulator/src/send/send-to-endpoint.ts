import { loadConfig, type Result, showResults } from 'countersign/companion/configuration';
import { readAnswers, selectConfig } from 'countersign/companion/options';
import { type ExitCode, exitCodes } from 'countersign/companion/terminal';
import { defaultAttemptTimeoutMs } from '../sending/send-options.ts';
import { statusesInstead } from '../sending/expected-status.ts';
import { readSendOptions, type SendInvocation } from './send-options.ts';

/** Delivers a notification to an endpoint and reports the response. */
export async function sendToEndpoint(invocation: SendInvocation): Promise<ExitCode> {
  const { flags, options: given, terminal, values } = invocation;
  const options = await readSendOptions(invocation);
  const loaded = await loadConfig(terminal.folder, flags.config);
  const config = selectConfig(loaded, invocation);
  const { readWithoutErrors } = await import('countersign/companion/project');
  const { contract } = await readWithoutErrors(config, loaded, invocation);
  const { composeDelivery } = await import('./compose-delivery.ts');
  const { checkDelivery } = await import('./check-delivery.ts');
  const { exchange } = await import('./deliver.ts');
  const { describeExchange, toExchangeData } = await import('./describe-exchange.ts');
  const { describeFindings, describeProof } = await import('./describe-delivery.ts');
  const answers = readAnswers(given.answer, contract);
  const source = { contract, event: values[0], answers, environment: terminal.environment };
  const delivery = await composeDelivery(source, options);
  const { notification, sent, address, expectsCertificate } = delivery;
  const findings = flags.quiet && !flags.json ? {} : await checkDelivery(contract, delivery);
  if (!flags.json) terminal.error(describeFindings(notification.name, findings));
  const answer = await exchange(
    sent,
    address,
    options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
    {
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      expectsCertificate,
    },
  );
  const proof = describeProof(given, delivery);
  const expectedStatuses = statusesInstead(notification, answer.status);
  const shown = { ...delivery, answer, findings, proof, expectedStatuses };
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const result: Result = {
    exitCode: isSuccess ? exitCodes.ok : exitCodes.problems,
    data: toExchangeData(shown),
    describe: (paint) => (flags.quiet && isSuccess ? '' : describeExchange(shown, paint)),
  };
  return await showResults([result], invocation, loaded.file);
}
