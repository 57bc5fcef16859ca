import { defineTexts } from '../../../ui/texts.ts'

export const healthTexts = defineTexts({
  instance: ['Instance', 'Instanz'],
  ready: ['ready', 'bereit'],
  unready: ['not ready', 'nicht bereit'],
  readyHint: [
    'The database takes writes, and no stage is far behind, for any business.',
    'Die Datenbank nimmt Daten an, und keine Stufe ist weit zurück, für kein Unternehmen.',
  ],
  work: ['What waits and what failed', 'Was wartet und was fehlschlug'],
  waiting: ['Waiting', 'Wartend'],
  failed: ['Failed', 'Fehler'],
  failedCount: (count: string) => [`${count} failed`, `${count} Fehler`],
  notCounted: ['not counted', 'nicht gezählt'],
  orMore: (count: string) => [`${count} or more`, `${count} oder mehr`],
  failedHint: [
    'Failed: what was neither sent again nor discarded yet.',
    'Fehler: was weder erneut gesendet noch verworfen wurde.',
  ],
  waitingHint: [
    'Waiting: calls of this business that have not begun. What waits at other stages is ' +
      'counted for the whole instance only, in its metrics.',
    'Wartend: Aufrufe dieses Unternehmens, die nicht begonnen haben. Was an anderen Stufen ' +
      'wartet, wird nur für die ganze Instanz gezählt, in ihren Metriken.',
  ],
  modules: ['Insight modules', 'Insight-Module'],
  module: ['Module', 'Modul'],
  calls: ['Calls', 'Aufrufe'],
  inRow: ['In a row', 'In Folge'],
  noFailure: ['no failure', 'kein Fehler'],
  failing: ['failing', 'fehlerhaft'],
  resting: (at: string) => [`Not called until ${at}.`, `Nicht aufgerufen bis ${at}.`],
  modulesHint: [
    'Failures in a row since the last call that was answered, in the process that answers here.',
    'Fehler in Folge seit dem letzten beantworteten Aufruf, im Prozess, der hier antwortet.',
  ],
  noModules: [
    'The business uses only the built-in functions.',
    'Das Unternehmen nutzt nur die eingebauten Funktionen.',
  ],
  certificates: ['Certificates of connectors', 'Zertifikate von Konnektoren'],
  what: ['What ends', 'Was endet'],
  left: ['Left', 'Noch'],
  client_ca: ['Client CA', 'Client-CA'],
  authority: ['Built-in authority', 'Eingebaute Zertifizierungsstelle'],
  revocation_list: ['Revocation list: a newer one is due', 'Sperrliste: eine neuere ist fällig'],
  ended: ['ended', 'beendet'],
  days: (count: string) => [`${count} d`, `${count} T`],
  soon: ['under 1 d', 'unter 1 T'],
  noCertificates: [
    'No connector has a CA or a revocation list that ends.',
    'Kein Konnektor hat eine CA oder eine Sperrliste, die endet.',
  ],
  certificatesHint: [
    'The next to end first. Certificates of devices and of the listeners of the instance are ' +
      'not among them.',
    'Was zuerst endet, steht oben. Zertifikate von Geräten und die der Instanz selbst sind ' +
      'nicht dabei.',
  ],
  backup: ['Backup', 'Sicherung'],
  command: ['Command', 'Befehl'],
  backupHint: [
    'Who operates the instance makes a backup of all its businesses with this command, on its ' +
      'machine, while it runs. How it is checked and restored is in',
    'Wer die Instanz betreibt, sichert alle ihre Unternehmen mit diesem Befehl auf ihrem ' +
      'Rechner, während sie läuft. Wie die Sicherung geprüft und zurückgespielt wird, steht in',
  ],
  notKnown: [
    'Whether one was made is not known here.',
    'Ob eine gemacht wurde, ist hier nicht bekannt.',
  ],
})
