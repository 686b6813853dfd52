// Node loads `node:tls` when something first asks for it. Where the stack overflows in the meantime, as tests of deep
// nesting make it do, the module stays half loaded, and `tls.createSecureContext` is missing for all later files of the
// worker.
// oxlint-disable-next-line import/no-unassigned-import -- loading is all
import 'node:tls';
