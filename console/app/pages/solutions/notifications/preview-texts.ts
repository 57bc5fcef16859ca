import { defineTexts } from '../../../ui/texts.ts'

export const previewTexts = defineTexts(
  {
    heading: 'Preview',
    about: 'A message as each device would show it. Nothing is sent.',
    exampleTitle: 'Pump 7 is hot',
    exampleBody: '92 °C, allowed are 80 °C.',
    title: 'Title',
    body: 'Text',
    data: 'Data for the application (JSON)',
    from: 'Sender of an SMS',
    show: 'Show',
    refused: 'would be refused',
    payload: 'What the provider would get',
    silent: 'Nothing is shown.',
    byApplication: 'The device shows nothing by itself: the application shows it from its data.',
    sound: (name: string) => `Sound: ${name}`,
    size: (size: string, max: string, unit: string) => `${size} of ${max} ${unit}`,
    segments: (count: number, encoding: string) =>
      `${count === 1 ? '1 message' : `${count} messages`} (${encoding})`,
  },
  {
    de: {
      heading: 'Vorschau',
      about: 'Eine Nachricht, wie jedes Gerät sie zeigen würde. Nichts wird gesendet.',
      exampleTitle: 'Pumpe 7 ist heiß',
      exampleBody: '92 °C, erlaubt sind 80 °C.',
      title: 'Titel',
      body: 'Text',
      data: 'Daten für die Anwendung (JSON)',
      from: 'Absender einer SMS',
      show: 'Zeigen',
      refused: 'würde abgelehnt',
      payload: 'Was der Anbieter bekäme',
      silent: 'Nichts wird gezeigt.',
      byApplication: 'Das Gerät zeigt selbst nichts: Die Anwendung zeigt es aus ihren Daten.',
      sound: (name: string) => `Ton: ${name}`,
      size: (size: string, max: string, unit: string) => `${size} von ${max} ${unit}`,
      segments: (count: number, encoding: string) =>
        `${count === 1 ? '1 Nachricht' : `${count} Nachrichten`} (${encoding})`,
    },
  },
)
