import type { Entry } from '../command.ts'

/** The commands of solutions that are exposed as services. */
export const interfaceCommands: Readonly<Record<string, Entry>> = {
  'interface list': {
    summary: 'List the services of solutions that the business may use.',
    load: async () => (await import('./interface/definition.ts')).interfaceList,
  },
  'interface show': {
    summary: 'Print the service that a solution exposes, as JSON.',
    load: async () => (await import('./interface/definition.ts')).interfaceShow,
  },
  'interface check': {
    summary: 'Compare a definition with the live one; exit with 1 if it breaks a subscriber.',
    load: async () => (await import('./interface/definition.ts')).interfaceCheck,
  },
  'interface client': {
    summary: 'Write a typed client of an exposed solution, in TypeScript or Lua.',
    load: async () => (await import('./interface/client.ts')).interfaceClient,
  },
  'interface call': {
    summary: 'Call an operation of an exposed solution, and print its result.',
    load: async () => (await import('./interface/call.ts')).interfaceCall,
  },
  'interface subscribers': {
    summary: 'Print the subscribers of an exposed solution and how much of their quotas is used.',
    load: async () => (await import('./interface/subscribers.ts')).interfaceSubscribers,
  },
  'interface quota': {
    summary: 'Set the calls that a subscriber may make in a day and in a month (UTC).',
    load: async () => (await import('./interface/subscribers.ts')).interfaceQuota,
  },
}
