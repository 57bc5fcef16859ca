import type { Entry } from '../command.ts'

/** The commands of authors of insight modules; they call no instance. */
export const commands: Readonly<Record<string, Entry>> = {
  'insight new': {
    summary: 'Write the project of an insight module into a new folder.',
    load: async () => (await import('./insight/new.ts')).insightNew,
  },
  'insight dev': {
    summary: 'Run an insight module, again at each change, and show the outputs of its calls.',
    load: async () => (await import('./insight/dev.ts')).insightDev,
  },
  'insight check': {
    summary: 'Check a served insight module against every row of the protocol.',
    load: async () => (await import('./insight/check.ts')).insightCheck,
  },
}
