import { defineTexts } from '../../../ui/texts.ts'

export const endpointTexts = defineTexts(
  {
    title: 'Endpoints',
    none:
      'The solution answers no requests yet. A script named `GET /path` is an endpoint, and one ' +
      'named `WEBSOCKET /path` takes websockets.',
    about:
      'It is sent to this instance without your session, and really does what it does. ' +
      'Other programs use the command.',
    query: 'Query',
    headers: 'Headers',
    headersAbout: 'One in each line: `Name: value`.',
    headersWrong: (line: string) => `This is no header: ${line}`,
    body: 'Body',
    missing: 'must be given',
    send: 'Send',
    command: 'The same with curl',
    answer: 'Answer',
    took: (ms: string) => `${ms} ms`,
    binary: (bytes: string) => `${bytes} bytes that are no text`,
    empty: 'No body.',
    redirect: 'a redirection, which is not followed',
    connect: 'Connect',
    disconnect: 'Disconnect',
    message: 'Message',
    frames: 'Messages, newest first',
    opened: 'connected',
    closed: (code: number, reason: string) => `closed (${code}${reason && `: ${reason}`})`,
    sent: 'sent',
    received: 'received',
    bytesOf: (bytes: string) => `${bytes} bytes`,
  },
  {
    de: {
      title: 'Endpunkte',
      none:
        'Die Lösung beantwortet noch keine Anfragen. Ein Skript namens `GET /pfad` ist ein ' +
        'Endpunkt, eines namens `WEBSOCKET /pfad` nimmt Websockets an.',
      about:
        'Gesendet wird an diese Instanz, ohne Ihre Sitzung, und es geschieht wirklich. ' +
        'Andere Programme nutzen den Befehl.',
      query: 'Abfrage',
      headers: 'Kopfzeilen',
      headersAbout: 'Eine je Zeile: `Name: Wert`.',
      headersWrong: (line: string) => `Das ist keine Kopfzeile: ${line}`,
      body: 'Inhalt',
      missing: 'fehlt',
      send: 'Senden',
      command: 'Dasselbe mit curl',
      answer: 'Antwort',
      took: (ms: string) => `${ms} ms`,
      binary: (bytes: string) => `${bytes} Bytes, die kein Text sind`,
      empty: 'Ohne Inhalt.',
      redirect: 'eine Weiterleitung, der nicht gefolgt wird',
      connect: 'Verbinden',
      disconnect: 'Trennen',
      message: 'Nachricht',
      frames: 'Nachrichten, neueste zuerst',
      opened: 'verbunden',
      closed: (code: number, reason: string) => `geschlossen (${code}${reason && `: ${reason}`})`,
      sent: 'gesendet',
      received: 'empfangen',
      bytesOf: (bytes: string) => `${bytes} Bytes`,
    },
  },
)
