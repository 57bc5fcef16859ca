import type { Entry } from '../command.ts'

/** The commands of authors of insight modules; they call no instance. */
export const insightCommands: Readonly<Record<string, Entry>> = {
  'insight check': {
    summary: 'Check a served insight module against every row of the protocol.',
    load: async () => (await import('./insight/check.ts')).insightCheck,
  },
}
