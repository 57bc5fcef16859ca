import { defineTexts } from '../../ui/texts.ts'

/** The texts about the certificates of a connector. */
export const certificateTexts = defineTexts({
  authority: ['Certificate authority', 'Zertifizierungsstelle'],
  trusts: [
    'Certificates of devices are checked against a client CA.',
    'Zertifikate von Geräten werden gegen eine Client-CA geprüft.',
  ],
  noPki: [
    'PKI is off: no certificate authority is trusted.',
    'PKI ist aus: Keiner Zertifizierungsstelle wird vertraut.',
  ],
  hasCa: ['A client CA is set.', 'Eine Client-CA ist eingestellt.'],
  vendor: (name: string) => [`Certificate vendor: ${name}.`, `Zertifikatsanbieter: ${name}.`],
  noAuthority: [
    'The built-in authority signs requests of devices without a vendor. It does not exist yet.',
    'Die eingebaute Stelle signiert Anfragen von Geräten ohne Anbieter. Es gibt sie noch nicht.',
  ],
  create: ['Create and use it', 'Anlegen und benutzen'],
  valid: (from: string, to: string) => [
    `The built-in authority is valid from ${from} to ${to}.`,
    `Die eingebaute Stelle gilt von ${from} bis ${to}.`,
  ],
  saveAuthority: ['Download the authority', 'Zertifikat der Stelle herunterladen'],
  revoked: ['Revocation list', 'Sperrliste'],
  noList: [
    'No list yet: certificates of the client CA are trusted until they expire.',
    'Noch keine Liste: Zertifikaten der Client-CA wird vertraut, bis sie ablaufen.',
  ],
  count: (count: number) => [
    `${count} certificates are revoked.`,
    `${count} Zertifikate sind gesperrt.`,
  ],
  due: (time: string) => [
    `The next list is due at ${time}.`,
    `Die nächste Liste ist fällig: ${time}.`,
  ],
  stale: ['a newer list is due', 'eine neuere Liste ist fällig'],
  uploadList: ['Upload a list (PEM or DER)', 'Liste hochladen (PEM oder DER)'],
  saveList: ['Download the list', 'Liste herunterladen'],
  removeList: ['Delete the list', 'Liste löschen'],
  ofDevices: [
    'Certificates of devices that end next',
    'Zertifikate von Geräten, die als Nächste enden',
  ],
  noneOfDevices: [
    'No certificate of a device is known: those that are given to devices, signed here, or ' +
      'come with their first request are listed.',
    'Es ist kein Zertifikat eines Geräts bekannt: Hier stehen die, die Geräten gegeben, hier ' +
      'signiert oder mit der ersten Anfrage gezeigt werden.',
  ],
  left: ['Left', 'Noch'],
  ends: ['Ends', 'Endet'],
  ended: ['ended', 'abgelaufen'],
  days: (count: number) => [
    count === 1 ? '1 day' : `${count} days`,
    count === 1 ? '1 Tag' : `${count} Tage`,
  ],
  first: (count: number) => [
    `The first ${count}; the API and the command line list all.`,
    `Die ersten ${count}; die API und die Kommandozeile nennen alle.`,
  ],
  windows: ['Activation windows that close next', 'Aktivierungsfristen, die als Nächste enden'],
  noWindows: ['No window is open that has a deadline.', 'Keine offene Frist hat ein Ende.'],
  closes: ['Closes', 'Endet'],
  extend: ['+48 h', '+48 h'],
  extendFor: (identity: string) => [`+48 h: ${identity}`, `+48 h: ${identity}`],
})
