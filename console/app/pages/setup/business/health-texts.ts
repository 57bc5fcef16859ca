import { defineTexts } from '../../../ui/texts.ts'

export const healthTexts = defineTexts(
  {
    instance: 'Instance',
    version: 'Version',
    state: 'State',
    ready: 'ready',
    unready: 'not ready',
    readyHint: 'The database takes writes, and no stage is far behind, for any business.',
    work: 'What waits and what failed',
    stage: 'Stage',
    waiting: 'Waiting',
    failed: 'Failed',
    failedCount: (count: string) => `${count} failed`,
    notCounted: 'not counted',
    orMore: (count: string) => `${count} or more`,
    failedHint: 'Failed: what was neither sent again nor discarded yet.',
    waitingHint:
      'Waiting: calls of this business that have not begun. What waits at other stages is ' +
      'counted for the whole instance only, in its metrics.',
    modules: 'Insight modules',
    module: 'Module',
    calls: 'Calls',
    inRow: 'In a row',
    noFailure: 'no failure',
    failing: 'failing',
    resting: (at: string) => `Not called until ${at}.`,
    modulesHint:
      'Failures in a row since the last call that was answered, in the process that answers here.',
    noModules: 'The business uses only the built-in functions.',
    certificates: 'Certificates of connectors',
    connector: 'Connector',
    what: 'What ends',
    left: 'Left',
    client_ca: 'Client CA',
    authority: 'Built-in authority',
    revocation_list: 'Revocation list: a newer one is due',
    ended: 'ended',
    days: (count: string) => `${count} d`,
    soon: 'under 1 d',
    noCertificates: 'No connector has a CA or a revocation list that ends.',
    certificatesHint:
      'The next to end first. Certificates of devices and of the listeners of the instance are ' +
      'not among them.',
    backup: 'Backup',
    command: 'Command',
    backupHint:
      'Who operates the instance makes a backup of all its businesses with this command, on its ' +
      'machine, while it runs. How it is checked and restored is in',
    notKnown: 'Whether one was made is not known here.',
  },
  {
    de: {
      instance: 'Instanz',
      version: 'Version',
      state: 'Zustand',
      ready: 'bereit',
      unready: 'nicht bereit',
      readyHint:
        'Die Datenbank nimmt Daten an, und keine Stufe ist weit zurück, für kein Unternehmen.',
      work: 'Was wartet und was fehlschlug',
      stage: 'Stufe',
      waiting: 'Wartend',
      failed: 'Fehler',
      failedCount: (count: string) => `${count} Fehler`,
      notCounted: 'nicht gezählt',
      orMore: (count: string) => `${count} oder mehr`,
      failedHint: 'Fehler: was weder erneut gesendet noch verworfen wurde.',
      waitingHint:
        'Wartend: Aufrufe dieses Unternehmens, die nicht begonnen haben. Was an anderen Stufen ' +
        'wartet, wird nur für die ganze Instanz gezählt, in ihren Metriken.',
      modules: 'Insight-Module',
      module: 'Modul',
      calls: 'Aufrufe',
      inRow: 'In Folge',
      noFailure: 'kein Fehler',
      failing: 'fehlerhaft',
      resting: (at: string) => `Nicht aufgerufen bis ${at}.`,
      modulesHint:
        'Fehler in Folge seit dem letzten beantworteten Aufruf, im Prozess, der hier antwortet.',
      noModules: 'Das Unternehmen nutzt nur die eingebauten Funktionen.',
      certificates: 'Zertifikate von Konnektoren',
      connector: 'Konnektor',
      what: 'Was endet',
      left: 'Noch',
      client_ca: 'Client-CA',
      authority: 'Eingebaute Zertifizierungsstelle',
      revocation_list: 'Sperrliste: eine neuere ist fällig',
      ended: 'beendet',
      days: (count: string) => `${count} T`,
      soon: 'unter 1 T',
      noCertificates: 'Kein Konnektor hat eine CA oder eine Sperrliste, die endet.',
      certificatesHint:
        'Was zuerst endet, steht oben. Zertifikate von Geräten und die der Instanz selbst sind ' +
        'nicht dabei.',
      backup: 'Sicherung',
      command: 'Befehl',
      backupHint:
        'Wer die Instanz betreibt, sichert alle ihre Unternehmen mit diesem Befehl auf ihrem ' +
        'Rechner, während sie läuft. Wie die Sicherung geprüft und zurückgespielt wird, steht in',
      notKnown: 'Ob eine gemacht wurde, ist hier nicht bekannt.',
    },
  },
)
