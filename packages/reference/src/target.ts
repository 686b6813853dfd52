import { createHash } from 'node:crypto';
import type { OutputFile, Target, TargetContext } from 'countersign';
import { clientOptions, type ClientOptions } from 'countersign/companion/printing';
import { createBuiltIn } from 'countersign/companion/target';
import { Code, type Contract } from 'countersign/kit';
import { callsSection } from './calls.ts';
import { coverageSection, coverSections } from './coverage.ts';
import { diagrams } from './diagrams.ts';
import { html, scriptData, type Html } from './html.ts';
import { ledgerSection } from './ledger.ts';
import { messagesSection } from './messages.ts';
import { navigation } from './navigation.ts';
import { notificationsSection } from './notifications.ts';
import { overview } from './overview.ts';
import { pageScripts, pageSources, sharedFolder, templates } from './page-files.ts';
import { createPage } from './page.ts';
import { schemasSection } from './schemas.ts';
import { searchIndex } from './search-index.ts';
import { securitySection } from './signature.ts';
import { workflowsSection } from './workflows.ts';

/**
 * The target that renders the whole contract as one HTML page, for reading without YAML. The page makes no requests.
 */
export const target: Target<ClientOptions> = {
  ...createBuiltIn<ClientOptions>({
    name: 'reference',
    requires: [],
    templates: ['package', 'frameworks'],
    folders: [templates, sharedFolder],
    // Without a client in the same run, the page needs the option to show what another client sends.
    options: clientOptions,
    emit: emitReference,
  }),
  fingerprint: pageSources(),
};

async function* emitReference(
  contract: Contract,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const page = await createPage(contract, context);
  const sections = coverSections(page);
  const parts = [
    overview(page),
    diagrams(page),
    workflowsSection(page),
    await callsSection(page),
    await notificationsSection(page),
    messagesSection(page),
    securitySection(page),
    ledgerSection(page),
    schemasSection(page),
    coverageSection(page, sections),
  ];
  const scripts = await pageScripts();
  const style = context.render('base.css', {}) + context.render('page.css', {});
  const { info } = contract;
  yield {
    path: 'reference/index.html',
    text: context.render('index.html', {
      policy: toCode(html`${policy(style, scripts.theme, scripts.main)}`),
      title: toCode(html`${info.title}`),
      version: toCode(html`${info.version}`),
      style: new Code(style),
      theme: new Code(scripts.theme),
      script: new Code(scripts.main),
      navigation: toCode(navigation(page, sections)),
      body: toCode(html`${parts}`),
      findable: toCode(scriptData(searchIndex(page, sections))),
    }),
    from: [info.pointer],
  };
}

/**
 * Returns the Content Security Policy of the page. It allows the page's own style and scripts by their hashes, and
 * nothing else.
 */
function policy(style: string, ...scripts: readonly string[]): string {
  const hash = (text: string): string =>
    `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${scripts.map(hash).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function toCode({ text }: Html): Code {
  return new Code(text);
}
