import { defineTexts } from '../../../ui/texts.ts'

export const limitsTexts = defineTexts({
  use: ['Use and quotas', 'Nutzung und Kontingente'],
  messages: ['Messages a second', 'Nachrichten je Sekunde'],
  storage: ['Files and contents', 'Dateien und Inhalte'],
  script_cpu: ['Processor of scripts, ms a minute', 'Rechenzeit von Skripten, ms je Minute'],
  tokens: ['API tokens', 'API-Tokens'],
  users: ['Users', 'Benutzer'],
  of: (used: string, most: string) => [`${used} of ${most}`, `${used} von ${most}`],
  noQuota: (used: string) => [`${used}, no quota`, `${used}, kein Kontingent`],
  near: ['near its end', 'fast aufgebraucht'],
  full: ['used up', 'aufgebraucht'],
  operator: [
    'Quotas are set by the operator of the instance.',
    'Kontingente legt der Betreiber der Instanz fest.',
  ],
  lastMinute: [
    'Messages and processor: in the last whole minute.',
    'Nachrichten und Rechenzeit: in der letzten vollen Minute.',
  ],
  retention: ['How long data are kept', 'Wie lange Daten bleiben'],
  log: ['Event log', 'Ereignisprotokoll'],
  values: ['Values of signals', 'Werte von Signalen'],
  lines: ['Lines of logs', 'Zeilen von Protokollen'],
  notifications: ['Notifications', 'Benachrichtigungen'],
  contents: ['Files and contents', 'Dateien und Inhalte'],
  audit: ['Audit log', 'Änderungsprotokoll'],
  ever: ['for ever', 'für immer'],
  days: (count: number) => [
    count === 1 ? '1 day' : `${count} days`,
    count === 1 ? '1 Tag' : `${count} Tage`,
  ],
  hours: (count: number) => [
    count === 1 ? '1 hour' : `${count} hours`,
    count === 1 ? '1 Stunde' : `${count} Stunden`,
  ],
  business: ['set for this business', 'für dieses Unternehmen'],
  instance: ['set for the instance', 'für die Instanz'],
  byDefault: ['by default', 'Vorgabe'],
  periodsOf: [
    'These periods are set by the operator of the instance.',
    'Diese Zeiten legt der Betreiber der Instanz fest.',
  ],
  connectors: ['Values of a connector', 'Werte eines Konnektors'],
  connectorHint: [
    'Values of the signals that a connector feeds may be kept for another time.',
    'Werte der Signale, die ein Konnektor speist, können anders lange bleiben.',
  ],
  period: ['Days; empty: as above', 'Tage; leer: wie oben'],
  wrong: ['A number above 0, or nothing.', 'Eine Zahl über 0, oder nichts.'],
})
