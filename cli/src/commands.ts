import type { Command } from './command.ts'

/** A command before it is loaded. */
export type Entry = {
  /** One sentence for the list of commands. */
  readonly summary: string
  load(): Promise<Command>
}

/** Every command of the API by its words. A module is loaded when its command runs. */
export const commands: Readonly<Record<string, Entry>> = {
  login: {
    summary: 'Log in to an instance, and keep its token for later commands.',
    load: async () => (await import('./commands/login.ts')).login,
  },
  logout: {
    summary: 'Forget the login, and end its session.',
    load: async () => (await import('./commands/login.ts')).logout,
  },
  whoami: {
    summary: 'Show the instance, the account and its permissions.',
    load: async () => (await import('./commands/login.ts')).whoami,
  },
  'business create': {
    summary: 'Create a business with its first account, an Administrator.',
    load: async () => (await import('./commands/accounts.ts')).businessCreate,
  },
  'business list': {
    summary: 'Print the businesses of the instance.',
    load: async () => (await import('./commands/accounts.ts')).businessList,
  },
  'connector list': {
    summary: 'Print the connectors of a business.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorList,
  },
  'connector delete': {
    summary:
      'Delete a connector with its settings, contents and values, and close its connections.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorDelete,
  },
}
