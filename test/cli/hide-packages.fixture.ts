// Preloaded into a process and its threads: the packages that HIDDEN_PACKAGES names are not installed for it, or, as
// `<package>=<other package>`, another package has the name.
import { registerHooks } from 'node:module';

const hidden = new Map(
  (process.env['HIDDEN_PACKAGES'] ?? '').split(',').map((entry): [string, string | undefined] => {
    const [name = '', other] = entry.split('=');
    return [name, other];
  }),
);

registerHooks({
  resolve(specifier, context, next) {
    const [name = ''] = /^(?:@[^/]+\/)?[^/]+/u.exec(specifier) ?? [];
    if (!hidden.has(name)) return next(specifier, context);
    const other = hidden.get(name);
    if (other !== undefined) return next(specifier.replace(name, other), context);
    const message = `Cannot find package '${name}' imported from ${context.parentURL}`;
    throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
