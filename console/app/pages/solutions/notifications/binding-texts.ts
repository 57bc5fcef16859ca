import { defineTexts } from '../../../ui/texts.ts'

export const bindingTexts = defineTexts(
  {
    title: 'Bindings',
    none:
      'Nobody is reached yet. A script makes a binding of a person and a device or a number ' +
      'with Notification.createBinding.',
    noneFound: 'No binding is like that. The person is searched by the whole name.',
    person: 'Person',
    everyone: 'everyone',
    channel: 'Channel',
    all: 'all',
    address: 'Device or number',
    registered: 'Registered',
    lastSent: 'Last sent to',
    change: 'Change',
    notYet: 'not yet',
    remove: 'Remove',
    removeTitle: (address: string, person: string) => `Remove ${address} of ${person}?`,
    lost:
      'Nothing more is sent to it, and what waits for it fails. The application can register ' +
      'again.',
  },
  {
    de: {
      title: 'Bindungen',
      none:
        'Noch wird niemand erreicht. Ein Skript bindet eine Person an ein Gerät oder eine ' +
        'Nummer mit Notification.createBinding.',
      noneFound: 'Keine Bindung ist so. Gesucht wird der ganze Name der Person.',
      person: 'Person',
      everyone: 'alle',
      channel: 'Kanal',
      all: 'alle',
      address: 'Gerät oder Nummer',
      registered: 'Registriert',
      lastSent: 'Zuletzt gesendet',
      change: 'Ändern',
      notYet: 'noch nie',
      remove: 'Entfernen',
      removeTitle: (address: string, person: string) => `${address} von ${person} entfernen?`,
      lost:
        'Dorthin wird nichts mehr gesendet, und was darauf wartet, schlägt fehl. Die Anwendung ' +
        'kann sich wieder registrieren.',
    },
  },
)
