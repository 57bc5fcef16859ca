import { defineTexts } from '../../../ui/texts.ts'

export const endpointTexts = defineTexts({
  title: ['Endpoints', 'Endpunkte'],
  none: [
    'The solution answers no requests yet. A script named `GET /path` is an endpoint, and one ' +
      'named `WEBSOCKET /path` takes websockets.',
    'Die Lösung beantwortet noch keine Anfragen. Ein Skript namens `GET /pfad` ist ein ' +
      'Endpunkt, eines namens `WEBSOCKET /pfad` nimmt Websockets an.',
  ],
  about: [
    'It is sent to this instance without your session, and really does what it does. Other ' +
      'programs use the command.',
    'Gesendet wird an diese Instanz, ohne Ihre Sitzung, und es geschieht wirklich. Andere ' +
      'Programme nutzen den Befehl.',
  ],
  query: ['Query', 'Abfrage'],
  headers: ['Headers', 'Kopfzeilen'],
  headersAbout: ['One in each line: `Name: value`.', 'Eine je Zeile: `Name: Wert`.'],
  headersWrong: (line: string) => [
    `This is no header: ${line}`,
    `Das ist keine Kopfzeile: ${line}`,
  ],
  body: ['Body', 'Inhalt'],
  missing: ['must be given', 'fehlt'],
  send: ['Send', 'Senden'],
  command: ['The same with curl', 'Dasselbe mit curl'],
  answer: ['Answer', 'Antwort'],
  took: (ms: string) => [`${ms} ms`, `${ms} ms`],
  binary: (bytes: string) => [
    `${bytes} bytes that are not text`,
    `${bytes} Bytes, die kein Text sind`,
  ],
  empty: ['No body.', 'Ohne Inhalt.'],
  redirect: ['a redirection, which is not followed', 'eine Weiterleitung, der nicht gefolgt wird'],
  connect: ['Connect', 'Verbinden'],
  disconnect: ['Disconnect', 'Trennen'],
  message: ['Message', 'Nachricht'],
  frames: ['Messages, newest first', 'Nachrichten, neueste zuerst'],
  opened: ['connected', 'verbunden'],
  closed: (code: number, reason: string) => [
    `closed (${code}${reason && `: ${reason}`})`,
    `geschlossen (${code}${reason && `: ${reason}`})`,
  ],
  sent: ['sent', 'gesendet'],
  received: ['received', 'empfangen'],
  bytesOf: (bytes: string) => [`${bytes} bytes`, `${bytes} Bytes`],
})
