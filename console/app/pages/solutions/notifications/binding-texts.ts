import { defineTexts } from '../../../ui/texts.ts'

export const bindingTexts = defineTexts({
  title: ['Bindings', 'Bindungen'],
  none: [
    'Nobody is reached yet. A script makes a binding of a person and a device or a number ' +
      'with Notification.createBinding.',
    'Noch wird niemand erreicht. Ein Skript bindet eine Person an ein Gerät oder eine Nummer ' +
      'mit Notification.createBinding.',
  ],
  noneFound: [
    'No binding is like that. The person is searched by the whole name.',
    'Keine Bindung ist so. Gesucht wird der ganze Name der Person.',
  ],
  person: ['Person', 'Person'],
  everyone: ['everyone', 'alle'],
  channel: ['Channel', 'Kanal'],
  all: ['all', 'alle'],
  address: ['Device or number', 'Gerät oder Nummer'],
  registered: ['Registered', 'Registriert'],
  lastSent: ['Last sent to', 'Zuletzt gesendet'],
  notYet: ['not yet', 'noch nie'],
  removeTitle: (address: string, person: string) => [
    `Remove ${address} of ${person}?`,
    `${address} von ${person} entfernen?`,
  ],
  lost: [
    'Nothing more is sent to it, and what waits for it fails. The application can register again.',
    'Dorthin wird nichts mehr gesendet, und was darauf wartet, schlägt fehl. Die Anwendung ' +
      'kann sich wieder registrieren.',
  ],
})
