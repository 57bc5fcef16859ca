import { defineTexts } from '../../../ui/texts.ts'

export const previewTexts = defineTexts({
  heading: ['Preview', 'Vorschau'],
  about: [
    'A message as each device would show it. Nothing is sent.',
    'Eine Nachricht, wie jedes Gerät sie zeigen würde. Nichts wird gesendet.',
  ],
  exampleTitle: ['Pump 7 is hot', 'Pumpe 7 ist heiß'],
  exampleBody: ['92 °C, allowed are 80 °C.', '92 °C, erlaubt sind 80 °C.'],
  title: ['Title', 'Titel'],
  body: ['Text', 'Text'],
  data: ['Data for the application (JSON)', 'Daten für die Anwendung (JSON)'],
  from: ['Sender of an SMS', 'Absender einer SMS'],
  show: ['Show', 'Zeigen'],
  refused: ['would be refused', 'würde abgelehnt'],
  payload: ['What the provider would get', 'Was der Anbieter bekäme'],
  silent: ['Nothing is shown.', 'Nichts wird gezeigt.'],
  byApplication: [
    'The device shows nothing by itself: the application shows it from its data.',
    'Das Gerät zeigt selbst nichts: Die Anwendung zeigt es aus ihren Daten.',
  ],
  sound: (name: string) => [`Sound: ${name}`, `Ton: ${name}`],
  size: (size: string, max: string, unit: string) => [
    `${size} of ${max} ${unit}`,
    `${size} von ${max} ${unit}`,
  ],
  segments: (count: number, encoding: string) => [
    `${count === 1 ? '1 message' : `${count} messages`} (${encoding})`,
    `${count === 1 ? '1 Nachricht' : `${count} Nachrichten`} (${encoding})`,
  ],
})
