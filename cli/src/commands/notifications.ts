import type { Entry } from '../command.ts'

/** The commands of notifications. */
export const notificationsCommands: Readonly<Record<string, Entry>> = {
  'notifications list': {
    summary:
      'Print the notifications of a solution, newest first, with the state of their deliveries.',
    load: async () => (await import('./notifications/notifications.ts')).notificationsList,
  },
  'notifications show': {
    summary: 'Print the timeline of a notification for each of its bindings.',
    load: async () => (await import('./notifications/notifications.ts')).notificationsShow,
  },
  'notifications sink': {
    summary: 'Print the messages in the local sink (channels without a provider), newest first.',
    load: async () => (await import('./notifications/notifications.ts')).notificationsSink,
  },
  'notifications channels': {
    summary: 'Print the provider and the status of each notification channel of a solution.',
    load: async () => (await import('./notifications/notifications.ts')).notificationsChannels,
  },
  'notifications bindings list': {
    summary: 'Print the bindings of a solution, newest first, and when each was last sent to.',
    load: async () => (await import('./notifications/bindings.ts')).bindingsList,
  },
  'notifications bindings delete': {
    summary: 'Delete a binding of a solution.',
    load: async () => (await import('./notifications/bindings.ts')).bindingsDelete,
  },
  'notifications preview': {
    summary: 'Print a message as each channel would have it, and send nothing.',
    load: async () => (await import('./notifications/bindings.ts')).notificationsPreview,
  },
  'notifications import': {
    summary: 'Import the bindings of another service, from a file or from its API.',
    load: async () => (await import('./notifications/import.ts')).notificationsImport,
  },
}
