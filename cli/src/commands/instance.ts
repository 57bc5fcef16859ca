import type { Entry } from '../command.ts'

/** The commands of logins, businesses and what belongs to an instance. */
export const instanceCommands: Readonly<Record<string, Entry>> = {
  login: {
    summary: 'Log in to an instance, and keep its token for later commands.',
    load: async () => (await import('./login.ts')).login,
  },
  logout: {
    summary: 'Forget the login, and end its session.',
    load: async () => (await import('./login.ts')).logout,
  },
  whoami: {
    summary: 'Show the instance, the account and its permissions.',
    load: async () => (await import('./login.ts')).whoami,
  },
  completion: {
    summary: 'Print a script that completes command lines in a shell.',
    load: async () => (await import('./completion.ts')).completion,
  },
  'business create': {
    summary: 'Create a business with its first account, an Administrator.',
    load: async () => (await import('./accounts.ts')).businessCreate,
  },
  'business list': {
    summary: 'Print the businesses of the instance.',
    load: async () => (await import('./accounts.ts')).businessList,
  },
  'business show': {
    summary: 'Print your business, with its settings.',
    load: async () => (await import('./accounts.ts')).businessShow,
  },
  'business health': {
    summary: 'Show whether the instance works, and what waits or ends soon of a business.',
    load: async () => (await import('./instance/health.ts')).businessHealth,
  },
  'business usage': {
    summary: 'Show what a business has and uses, with its quotas.',
    load: async () => (await import('./instance/quotas.ts')).businessUsage,
  },
  'business quota': {
    summary: 'Set the quotas of a business.',
    load: async () => (await import('./instance/quotas.ts')).businessQuota,
  },
  'business change': {
    summary: 'Change the settings of your business.',
    load: async () => (await import('./accounts.ts')).businessChange,
  },
  'business remove': {
    summary: 'Delete a business with everything that it has.',
    load: async () => (await import('./accounts.ts')).businessRemove,
  },
  'business deletion': {
    summary: 'Print how far the deletion of a business is.',
    load: async () => (await import('./accounts.ts')).businessDeletion,
  },
  'retention show': {
    summary: 'Show how long data are kept.',
    load: async () => (await import('./instance/retention.ts')).retentionShow,
  },
  'retention set': {
    summary: 'Set how long data are kept.',
    load: async () => (await import('./instance/retention.ts')).retentionSet,
  },
  trace: {
    summary: 'Follow a value to the write that it came from, and to all that it led to.',
    load: async () => (await import('./trace.ts')).trace,
  },
  'pipeline list': {
    summary: 'List assets with the number of their links.',
    load: async () => (await import('./pipelines.ts')).pipelineList,
  },
  'pipeline show': {
    summary: "Show the links of an asset's pipeline; --json prints what can be saved again.",
    load: async () => (await import('./pipelines.ts')).pipelineShow,
  },
  'pipeline save': {
    summary: "Save a change of an asset's pipeline, all of it or nothing.",
    load: async () => (await import('./pipelines.ts')).pipelineSave,
  },
  'pipeline versions': {
    summary: "Print the versions of an asset's pipeline with what each changed, newest first.",
    load: async () => (await import('./pipeline-versions.ts')).pipelineVersions,
  },
  'pipeline compare': {
    summary: "Print what changed from one version of an asset's pipeline to another.",
    load: async () => (await import('./pipeline-versions.ts')).pipelineCompare,
  },
  'pipeline restore': {
    summary: "Save an earlier version of an asset's pipeline again, as a new version.",
    load: async () => (await import('./pipeline-versions.ts')).pipelineRestore,
  },
  'pipeline simulate': {
    summary: 'Run recorded values through a changed pipeline, beside the one that runs.',
    load: async () => (await import('./pipelines.ts')).pipelineSimulate,
  },
  'outbound allow': {
    summary: 'Allow the scripts of one business to call a private address.',
    load: async () => (await import('./instance/outbound.ts')).outboundAllow,
  },
  'outbound list': {
    summary: 'Print the private addresses that the scripts of one business may call.',
    load: async () => (await import('./instance/outbound.ts')).outboundList,
  },
  'outbound remove': {
    summary: 'Forbid the scripts of one business to call a private address again.',
    load: async () => (await import('./instance/outbound.ts')).outboundRemove,
  },
  'mail list': {
    summary: 'Print the mails that an instance without a mail server has kept, newest first.',
    load: async () => (await import('./people/mails.ts')).mailList,
  },
  'mail show': {
    summary: 'Print one mail that an instance without a mail server has kept.',
    load: async () => (await import('./people/mails.ts')).mailShow,
  },
  'mail senders': {
    summary: 'Print the senders that the scripts of a business may send mails as.',
    load: async () => (await import('./people/mails.ts')).mailSenders,
  },
  'mail allow': {
    summary: 'Allow the scripts of a business to send mails as a sender.',
    load: async () => (await import('./people/mails.ts')).mailAllow,
  },
  'mail forbid': {
    summary: 'Forbid the scripts of a business a sender of mails again.',
    load: async () => (await import('./people/mails.ts')).mailForbid,
  },
  'failure list': {
    summary: 'Print what failed at every stage, newest first.',
    load: async () => (await import('./instance/failures.ts')).failureList,
  },
  'failure count': {
    summary: 'Print how much failed at each stage.',
    load: async () => (await import('./instance/failures.ts')).failureCount,
  },
  'failure show': {
    summary: 'Print one failure with its input.',
    load: async () => (await import('./instance/failures.ts')).failureShow,
  },
  'failure retry': {
    summary: 'Send again what failed at a stage: one message, also corrected, or all.',
    load: async () => (await import('./instance/failures.ts')).failureRetry,
  },
  'failure discard': {
    summary: 'Discard what failed at a stage: one message, or all.',
    load: async () => (await import('./instance/failures.ts')).failureDiscard,
  },
  'ledger show': {
    summary: 'Print the counts per stage and hour, newest first.',
    load: async () => (await import('./instance/ledger.ts')).ledgerShow,
  },
}
