import { defineTexts } from '../../ui/texts.ts'

/** The texts of the overview, and of the page that connects a device. */
export const texts = defineTexts({
  title: ['Overview', 'Übersicht'],
  connect: ['Connect a device', 'Gerät verbinden'],
  messages: ['Messages a second', 'Nachrichten je Sekunde'],
  conditions: ['Open conditions', 'Offene Zustände'],
  failures: ['Failures', 'Fehlschläge'],
  since: ['Since', 'Seit'],
  reason: ['Reason', 'Grund'],
  noConditions: ['All assets are normal.', 'Alle Anlagen sind normal.'],
  noFailures: [
    'Nothing failed: every message went through each stage.',
    'Nichts ist fehlgeschlagen: jede Nachricht kam durch jede Stufe.',
  ],
  identity: ['Identity of the device', 'Identität des Geräts'],
  program: ['Program', 'Programm'],
  programs: ['Programs of a device', 'Programme eines Geräts'],
  copy: ['Copy', 'Kopieren'],
  noConnector: [
    'Make a connector first: devices speak through one.',
    'Legen Sie zuerst einen Konnektor an: Geräte sprechen durch einen.',
  ],
  toConnectors: ['Go to the connectors', 'Zu den Konnektoren'],
  whitelist: ['Whitelist this identity', 'Diese Identität zulassen'],
  needsWhitelist: [
    'This connector takes identities that are whitelisted alone.',
    'Dieser Konnektor nimmt nur Identitäten, die zugelassen sind.',
  ],
  isThere: [
    'This device is activated. An activation works once: choose another identity.',
    'Das Gerät ist aktiviert, und eine Aktivierung gilt einmal: wählen Sie ein anderes.',
  ],
  waiting: (identity: string) => [`Waiting for ${identity} …`, `Warten auf ${identity} …`],
  seen: (identity: string) => [`${identity} has written.`, `${identity} hat geschrieben.`],
  open: ['Open the device', 'Gerät öffnen'],
  noResource: [
    'The connector has no resource yet that a device could write.',
    'Der Konnektor hat noch keine Ressource, die ein Gerät schreiben könnte.',
  ],
})
